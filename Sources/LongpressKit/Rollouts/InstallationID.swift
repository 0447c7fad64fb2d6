internal import Foundation
internal import QuickActions

/// The random id by which an installation chooses its arm in every roll-out. It never leaves the device.
struct InstallationID: Sendable, Equatable {
    private static let length = 32

    /// 32 lowercase hexadecimal digits.
    let digits: String

    /// A new one.
    init() {
        digits = String((0..<Self.length).map { _ in "0123456789abcdef".randomElement() ?? "0" })
    }

    /// The stored form. Nil if the file is damaged.
    init?(_ file: Data) {
        guard let bytes = Seal.open(file), bytes.count == Self.length,
            bytes.allSatisfy({ $0.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) })
        else { return nil }
        digits = String(decoding: bytes, as: UTF8.self)
    }

    var file: Data { Seal.close(Array(digits.utf8)) }
}
