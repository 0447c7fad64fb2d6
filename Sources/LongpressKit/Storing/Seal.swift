internal import Foundation
internal import QuickActions

/// A checksum before a stored document, which detects a damaged file.
enum Seal {
    private static let length = 17

    /// Sixteen hexadecimal digits and a line feed, then the bytes.
    static func close(_ bytes: [UInt8]) -> Data {
        Data(mark(of: bytes[...]) + bytes)
    }

    /// The bytes after the checksum; nil if they do not match it.
    static func open(_ data: Data) -> [UInt8]? {
        let sealed = [UInt8](data)
        guard sealed.count >= length, case let bytes = sealed[length...], Array(sealed[..<length]) == mark(of: bytes) else { return nil }
        return Array(bytes)
    }

    /// FNV-1a with 64 bits (draft-eastlake-fnv). It detects accidental damage, not tampering.
    private static func mark(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return Array(String(repeating: "0", count: 16 - digits.utf8.count).utf8) + Array(digits.utf8) + [UInt8(ascii: "\n")]
    }
}
