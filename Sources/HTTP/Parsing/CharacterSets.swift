/// A set of ASCII characters as two words: one shift and one mask a look-up.
struct ASCIISet {
    private let low: UInt64
    private let high: UInt64

    init(_ characters: String) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        for byte in characters.utf8 where byte < 0x80 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
        (self.low, self.high) = (low, high)
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        return (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte - 64)) & 1 == 1
    }

    private static let alphanumerics = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    /// RFC 9110 section 5.6.2.
    static let token = ASCIISet(alphanumerics + "!#$%&'*+-.^_`|~")
    /// What may stand in a path and query: RFC 3986's pchar, `/`, `?` and `%`.
    static let target = ASCIISet(alphanumerics + "-._~!$&'()*+,;=:@/?%")
    /// A host's name, address literal or port.
    static let host = ASCIISet(alphanumerics + "-._~!$&'()*+,;=:[]%")
}
