/// The transfer codings in all `Transfer-Encoding` lines of a request (RFC 9112 6.1, 7).
struct TransferCodings: Sendable {
    private var count = 0
    private var chunkedCount = 0
    private var endsChunked = false

    var isEmpty: Bool { count == 0 }

    /// Appends one line.
    /// - Throws: 400 for an empty element, a parameter, or an element that is not a token.
    mutating func append(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestFailure) {
        try bytes.forEachElement(in: value) { (element) throws(RequestFailure) in
            guard !element.isEmpty, element.allSatisfy({ ByteClass.token.contains(bytes[$0]) }) else {
                throw .badRequest("Transfer-Encoding is malformed. Send exactly \"chunked\".")
            }
            endsChunked = bytes.spells("chunked", in: element)
            chunkedCount &+= endsChunked ? 1 : 0
            count &+= 1
        }
    }

    /// - Throws: 400 if `chunked` is repeated or not last, because the end of the body is then unknown (RFC 9112 6.3); 501 for any other
    ///   coding.
    func check() throws(RequestFailure) {
        guard endsChunked, chunkedCount == 1 else {
            throw .badRequest("chunked must be the last transfer coding and occur once.")
        }
        guard count == chunkedCount else {
            throw .notImplemented("The only supported transfer coding is chunked.")
        }
    }
}
