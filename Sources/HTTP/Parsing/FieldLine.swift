import QuickActions

/// `field-name ":" OWS field-value OWS` (RFC 9112 5), without its CRLF.
enum FieldLine {
    /// - Throws: 400 for an empty or invalid name, whitespace before the colon, folding (`obs-fold`), and control bytes in the value.
    @inline(__always)
    static func parse(_ bytes: Span<UInt8>, in line: Range<Int>) throws(RequestFailure) -> FieldRange {
        var colon = line.lowerBound
        while colon < line.upperBound, bytes[colon].isASCIILetter || ByteClass.token.contains(bytes[colon]) { colon &+= 1 }
        guard colon > line.lowerBound, colon < line.upperBound, bytes[colon] == Ascii.colon else {
            throw nameFailure(bytes, line)
        }
        let value = bytes.trimmed(colon &+ 1..<line.upperBound)
        guard bytes.isFieldValue(value) else { throw .badRequest("The value of a header field has a control character. Remove it.") }
        return FieldRange(name: line.lowerBound..<colon, value: value)
    }

    private static func nameFailure(_ bytes: Span<UInt8>, _ line: Range<Int>) -> RequestFailure {
        guard let first = line.first else { return .badRequest("A header field is empty. Remove it.") }
        if Ascii.isBlank(bytes[first]) {
            return .badRequest("A header field is folded over two lines. Send it on one line.")
        }
        return .badRequest("The name of a header field is not valid. Write name, colon, value, with no space before the colon.")
    }
}
