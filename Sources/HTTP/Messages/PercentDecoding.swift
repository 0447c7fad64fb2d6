import QuickActions

/// Percent-decoding (RFC 3986 2.1).
enum PercentDecoding {
    /// Decodes `bytes` as UTF-8.
    /// - Parameter plus: the meaning of an unescaped `+`: itself in a path, a space in a query.
    /// - Throws: 400 for an escape that is not two hexadecimal digits, for NUL, and for invalid UTF-8.
    static func decode(_ bytes: some Collection<UInt8>, plus: UInt8 = Ascii.plus) throws(RequestFailure) -> String {
        guard bytes.contains(where: { $0 == Ascii.percent || $0 == Ascii.plus }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            guard byte == Ascii.percent else {
                decoded.append(byte == Ascii.plus ? plus : byte)
                continue
            }
            guard let high = iterator.next()?.hexadecimalValue,
                let low = iterator.next()?.hexadecimalValue
            else {
                throw .badRequest("The request target has a % without two hexadecimal digits. Write a percent sign as %25.")
            }
            decoded.append(high << 4 | low)
        }
        guard !decoded.contains(0), let text = String(validating: decoded, as: UTF8.self) else {
            throw .badRequest("The request target is not UTF-8 when decoded. Percent-encode UTF-8.")
        }
        return text
    }
}
