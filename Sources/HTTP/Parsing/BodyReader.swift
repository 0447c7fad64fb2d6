/// Reads the body of one request into memory.
package struct BodyReader: Sendable {
    package enum Outcome: Equatable, Sendable {
        case needsMore
        /// `body` is complete.
        case complete
        case refused(RequestFailure)
    }

    private enum Remainder: Sendable {
        case bytes(Int)
        case chunks(ChunkedDecoder)
    }

    package private(set) var body: [UInt8] = []
    private var rest: Remainder

    /// - Parameter limit: in bytes.
    /// - Throws: 413 if the announced length is above the limit.
    package init(_ framing: BodyFraming, limit: Int, limits: RequestLimits) throws(RequestFailure) {
        switch framing {
        case .none:
            rest = .bytes(0)
        case .length(let length):
            guard length <= limit else { throw .contentTooLarge(limit: limit) }
            rest = .bytes(length)
            body.reserveCapacity(min(length, 64 << 10))  // the announced length costs the client nothing, so it is not trusted
        case .chunked:
            rest = .chunks(ChunkedDecoder(limits: limits, bodyLimit: limit))
        }
    }

    /// Consumes the body's bytes from `bytes`, from `index` on, and advances `index`.
    package mutating func receive(_ bytes: Span<UInt8>, from index: inout Int) -> Outcome {
        switch rest {
        case .bytes(let missing):
            let count = min(missing, bytes.count &- index)
            if count > 0 {
                bytes.extracting(index..<index &+ count).withUnsafeBufferPointer { body.append(contentsOf: $0) }
                index &+= count
            }
            rest = .bytes(missing &- count)
            return missing == count ? .complete : .needsMore
        case .chunks(var decoder):
            do throws(RequestFailure) {
                let done = try decoder.receive(bytes, from: &index, into: &body)
                rest = .chunks(decoder)
                return done ? .complete : .needsMore
            } catch {
                return .refused(error)
            }
        }
    }
}

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
