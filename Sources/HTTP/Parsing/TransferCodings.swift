/// What all `Transfer-Encoding` lines of a request ask for together (RFC 9112 6.1, 7).
struct TransferCodings: Sendable {
    private var count = 0
    private var chunkedCount = 0
    private var endsChunked = false

    var isEmpty: Bool { count == 0 }

    /// Takes one more line. Refused with 400: an empty element, a parameter, what is no token.
    mutating func take(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestFailure) {
        try bytes.forEachElement(in: value) { (element) throws(RequestFailure) in
            guard !element.isEmpty, element.allSatisfy({ ByteClass.token.contains(bytes[$0]) }) else {
                throw .badRequest("Transfer-Encoding is malformed. Send exactly \"chunked\".")
            }
            endsChunked = bytes.spells("chunked", in: element)
            chunkedCount &+= endsChunked ? 1 : 0
            count &+= 1
        }
    }

    /// Refused with 400 where `chunked` is not last, so that nobody can tell where the body ends (RFC 9112 6.3), or comes twice;
    /// with 501 where there is any other coding before it.
    func check() throws(RequestFailure) {
        guard endsChunked, chunkedCount == 1 else {
            throw .badRequest("The coding chunked must be the last one and come once.")
        }
        guard count == chunkedCount else {
            throw .notImplemented("The only transfer coding understood is chunked.")
        }
    }
}
