import QuickActions

/// A set of ASCII bytes as two bit masks, so that a membership test is a shift and an AND.
///
/// Bytes above 0x7F are in no class.
package struct ByteClass: Sendable {
    let low: UInt64
    let high: UInt64

    @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        guard byte < 128 else { return false }
        let mask = byte < 64 ? low : high
        return mask &>> UInt64(byte & 63) & 1 == 1
    }

    /// `tchar`, RFC 9110 5.6.2.
    package static let token = ByteClass(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)
    /// `pchar` and `/`, RFC 3986 3.3; the caller checks the two hexadecimal digits after a `%`.
    static let path = ByteClass(low: 0x2fff_fff2_0000_0000, high: 0x47ff_fffe_87ff_ffff)
    /// `query`, RFC 3986 3.4.
    static let query = ByteClass(low: 0xafff_fff2_0000_0000, high: 0x47ff_fffe_87ff_ffff)
    /// `reg-name`, RFC 3986 3.2.2.
    static let registeredName = ByteClass(low: 0x2bff_7ff2_0000_0000, high: 0x47ff_fffe_87ff_fffe)
    /// The bytes of an `IPv6address`, RFC 3986 3.2.2.
    static let ipv6 = ByteClass(low: 0x07ff_4000_0000_0000, high: 0x0000_007e_0000_007e)
    /// `unreserved`, RFC 3986 2.3.
    static let unreserved = ByteClass(low: 0x03ff_6000_0000_0000, high: 0x47ff_fffe_87ff_fffe)
    static let hexadecimal = ByteClass(low: 0x03ff_0000_0000_0000, high: 0x0000_007e_0000_007e)
    static let digit = ByteClass(low: 0x03ff_0000_0000_0000, high: 0)
    /// The ASCII part of `etagc`, RFC 9110 8.8.3, which also contains `obs-text`.
    static let entityTag = ByteClass(low: 0xffff_fffa_0000_0000, high: 0x7fff_ffff_ffff_ffff)

    /// `field-vchar`, space or tab, RFC 9110 5.5, with `obs-text` (0x80 and above).
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7F : byte == Ascii.tab
    }
}

/// The ASCII bytes of HTTP's syntax.
package enum Ascii {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let percent: UInt8 = 0x25
    static let asterisk: UInt8 = 0x2A
    static let plus: UInt8 = 0x2B
    static let comma: UInt8 = 0x2C
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equals: UInt8 = 0x3D
    static let questionMark: UInt8 = 0x3F
    static let backslash: UInt8 = 0x5C

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// Whether two texts are equal, ignoring the case of ASCII letters.
    static func equalIgnoringCase(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        let left = left.utf8
        let right = right.utf8
        return left.count == right.count && zip(left, right).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}
