/// Ids of answers that need no `Request`, such as cached answers. Does not allocate. The ids are not secret: one id is enough to compute
/// the next.
package struct RequestID: Sendable {
    private var state: UInt64
    package private(set) var bytes: [UInt8] = []

    package init(seed: UInt64) {
        state = seed
        bytes.reserveCapacity(128)
    }

    @inline(__always)
    package mutating func replace(by id: Span<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(copying: id)
    }

    /// Makes the next id, 16 lower-case hexadecimal digits. Uses SplitMix64, which repeats no value within 2^64.
    @inline(__always)
    package mutating func renew() {
        state &+= 0x9E37_79B9_7F4A_7C15
        var rest = (state ^ state &>> 30) &* 0xBF58_476D_1CE4_E5B9
        rest = (rest ^ rest &>> 27) &* 0x94D0_49BB_1331_11EB
        rest ^= rest &>> 31
        bytes.removeAll(keepingCapacity: true)
        for _ in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: rest & 15)
            bytes.append(digit &+ (digit < 10 ? 48 : 87))
            rest &>>= 4
        }
    }

    /// Whether the id from a proxy is used: 1 to 128 letters, digits, dots, hyphens and underscores.
    package static func isAcceptable(_ id: Span<UInt8>) -> Bool {
        guard !id.isEmpty, id.count <= 128 else { return false }
        for index in id.indices where !ByteClass.unreserved.contains(id[index]) || id[index] == tilde { return false }
        return true
    }

    private static let tilde: UInt8 = 0x7E
}

/// The field `traceparent` (W3C Trace Context, section 3.2).
enum TraceParent {
    /// A valid field as version 00. For a later version, the text after the members of version 00 is ignored (section 3.2.2.2).
    static func valid(_ value: Span<UInt8>) -> String? {
        let hyphens = [2, 35, 52]
        guard value.count == 55 || value.count > 55 && value[55] == hyphen else { return nil }
        for index in 0..<55 where hyphens.contains(index) ? value[index] != hyphen : !isLowerCaseHexadecimal(value[index]) { return nil }
        let version = value.text(0..<2)
        guard version != "ff", version != "00" || value.count == 55 else { return nil }
        let (trace, parent) = (value.text(3..<35), value.text(36..<52))
        let isZero = [trace, parent].contains { $0.utf8.allSatisfy { $0 == Ascii.zero } }
        return isZero ? nil : "00\(value.text(2..<55))"
    }

    private static let hyphen: UInt8 = 0x2D

    private static func isLowerCaseHexadecimal(_ byte: UInt8) -> Bool { ByteClass.digit.contains(byte) || 97...102 ~= byte }
}
