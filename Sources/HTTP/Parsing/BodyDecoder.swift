/// Collects a request's body, of a known length or chunked, up to a limit.
package struct BodyDecoder: Sendable {
    package enum Result {
        case needsMore
        case complete
        case refused(RequestFailure)
    }

    private enum Mode: Sendable {
        case length(Int)
        case chunked(ChunkDecoder)
    }

    package private(set) var body: [UInt8] = []
    private var mode: Mode
    private let limit: Int

    /// Throws when the announced length is over the limit already.
    package init(_ framing: RequestHead.Framing, limit: Int) throws(RequestFailure) {
        self.limit = limit
        switch framing {
        case .none: mode = .length(0)
        case .length(let length):
            guard length <= limit else { throw RequestFailure.bodyTooLarge }
            mode = .length(length)
        case .chunked: mode = .chunked(ChunkDecoder())
        }
    }

    /// Takes what belongs to the body off the front.
    /// - Returns: how many bytes were taken, and where the body stands.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) -> (taken: Int, result: Result) {
        switch mode {
        case .length(let length):
            let taken = min(bytes.count, length - body.count)
            body.append(contentsOf: bytes.prefix(taken))
            return (taken, body.count == length ? .complete : .needsMore)
        case .chunked(var decoder):
            let (taken, result) = decoder.take(bytes, into: &body, limit: limit)
            mode = .chunked(decoder)
            return (taken, result)
        }
    }
}

/// The chunked transfer coding (RFC 9112 section 7.1), a byte at a time but for the data.
struct ChunkDecoder {
    private enum State {
        case size, sizeExtension, sizeLineFeed, data, dataReturn, dataLineFeed, trailer, trailerLineFeed
    }

    private static let longestSize = 15
    private static let longestExtension = 1024
    private static let longestTrailer = 8 << 10

    private var state = State.size
    private var size = 0
    private var digits = 0
    private var extra = 0
    private var trailer: [UInt8] = []
    private var trailerBytes = 0

    mutating func take(
        _ bytes: UnsafeRawBufferPointer, into body: inout [UInt8], limit: Int
    ) -> (taken: Int, result: BodyDecoder.Result) {
        var index = 0
        do throws(RequestFailure) {
            while index < bytes.count {
                if state == .data {
                    let count = min(bytes.count - index, size)
                    body.append(contentsOf: bytes[index..<(index + count)])
                    index += count
                    size -= count
                    if size == 0 { state = .dataReturn }
                    continue
                }
                let byte = bytes[index]
                index += 1
                if try step(byte) { return (index, .complete) }
                guard body.count <= limit - size else { throw RequestFailure.bodyTooLarge }
            }
        } catch {
            return (index, .refused(error))
        }
        return (index, .needsMore)
    }

    /// - Returns: whether the body is complete.
    private mutating func step(_ byte: UInt8) throws(RequestFailure) -> Bool {
        switch state {
        case .size: try takeSize(byte)
        case .sizeExtension: try takeExtension(byte)
        case .sizeLineFeed:
            guard byte == 0x0A else { throw .malformed("A chunk's size is not followed by CRLF.") }
            state = size == 0 ? .trailer : .data
            (digits, extra) = (0, 0)
        case .dataReturn:
            guard byte == 0x0D else { throw .malformed("A chunk is longer than its size.") }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == 0x0A else { throw .malformed("A chunk is longer than its size.") }
            state = .size
        case .trailer: try takeTrailer(byte)
        case .trailerLineFeed:
            guard byte == 0x0A else { throw .malformed("A trailer line ends without a line feed.") }
            return try endTrailerLine()
        case .data: break
        }
        return false
    }

    private mutating func takeSize(_ byte: UInt8) throws(RequestFailure) {
        if let digit = byte.hexDigit {
            digits += 1
            guard digits <= Self.longestSize else { throw .malformed("A chunk's size has too many digits.") }
            size = size << 4 | Int(digit)
            return
        }
        guard digits > 0 else { throw .malformed("A chunk's size is not a hexadecimal number.") }
        switch byte {
        case 0x0D: state = .sizeLineFeed
        case UInt8(ascii: ";"): state = .sizeExtension
        default: throw .malformed("A chunk's size is not a hexadecimal number.")
        }
    }

    /// Extensions are read past; none is known.
    private mutating func takeExtension(_ byte: UInt8) throws(RequestFailure) {
        extra += 1
        guard extra <= Self.longestExtension else { throw .malformed("A chunk's extension is too long.") }
        if byte == 0x0D {
            state = .sizeLineFeed
        } else if byte < 0x20 && byte != 0x09 || byte == 0x7F {
            throw .malformed("A chunk's extension holds a control character.")
        }
    }

    private mutating func takeTrailer(_ byte: UInt8) throws(RequestFailure) {
        trailerBytes += 1
        guard trailerBytes <= Self.longestTrailer else {
            throw RequestFailure(.fieldsTooLarge, "fields-too-large", "The trailer section is too large.")
        }
        if byte == 0x0D {
            state = .trailerLineFeed
        } else {
            guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { throw .malformed("A trailer field holds a control character.") }
            trailer.append(byte)
        }
    }

    /// Trailer fields are checked and dropped: none changes a request here.
    private mutating func endTrailerLine() throws(RequestFailure) -> Bool {
        if trailer.isEmpty { return true }
        guard let colon = trailer.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            trailer[..<colon].allSatisfy(ASCIISet.token.contains)
        else { throw .malformed("A trailer line is not a name, a colon and a value.") }
        trailer.removeAll(keepingCapacity: true)
        state = .trailer
        return false
    }
}
