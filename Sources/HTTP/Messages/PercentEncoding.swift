/// Percent-encoding (RFC 3986 2.1).
package enum PercentEncoding {
    /// Encodes all characters except unreserved ones, so that the result is valid in every component of a URI.
    package static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if ByteClass.unreserved.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
