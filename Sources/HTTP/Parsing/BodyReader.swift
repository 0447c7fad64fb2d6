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
