extension String {
    /// Percent-encodes all characters except unreserved ones (RFC 3986 section 2.3), so that the result is valid in every component of a
    /// URI.
    package var percentEncoded: String {
        var encoded = ""
        for byte in utf8 {
            if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
