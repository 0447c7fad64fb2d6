import QuickActions

/// Decodes a chunked body (RFC 9112 7.1), byte by byte where it is framing and in bulk where it is data.
///
/// Extensions are checked and ignored, trailers checked and dropped; both are bounded.
struct ChunkedDecoder: Sendable {
    private enum Place: Sendable {
        case size, sizeExtension, sizeEnd, data, dataReturn, dataEnd, trailer
    }

    private var place = Place.size
    private var size: UInt64 = 0
    private var digits = 0
    private var remaining = 0
    private var chunkExtension = ChunkExtension()
    private var extensionBytes = 0
    private var trailer: [UInt8] = []
    private var trailerBytes = 0
    private var trailerCount = 0
    private let limits: RequestLimits
    private let bodyLimit: Int

    /// `bodyLimit` in bytes of data.
    init(limits: RequestLimits, bodyLimit: Int) {
        self.limits = limits
        self.bodyLimit = bodyLimit
    }

    /// Appends the data in `bytes` to `body` and moves `index` over what was used; true once the body is over.
    ///
    /// Refused with 400 for framing that is not exactly RFC 9112's, 413 above the body limit, 431 for too many trailers.
    mutating func receive(
        _ bytes: Span<UInt8>, from index: inout Int, into body: inout [UInt8]
    ) throws(RequestFailure) -> Bool {
        while index < bytes.count {
            if place == .data {
                let count = min(remaining, bytes.count &- index)
                bytes.extracting(index..<index &+ count).withUnsafeBufferPointer { body.append(contentsOf: $0) }
                index &+= count
                remaining &-= count
                if remaining == 0 { place = .dataReturn }
                continue
            }
            let byte = bytes[index]
            index &+= 1
            if try take(byte, bodyCount: body.count) { return true }
        }
        return false
    }

    private static let malformed = RequestFailure.badRequest(
        "The chunked body is malformed. Send sizes in hexadecimal and end lines with CR LF.")

    /// Takes one byte of framing; true at the end of the body.
    private mutating func take(_ byte: UInt8, bodyCount: Int) throws(RequestFailure) -> Bool {
        switch place {
        case .size:
            if let value = byte.hexadecimalValue {
                guard digits < 16 else { throw Self.malformed }
                size = size << 4 | UInt64(value)
                digits &+= 1
            } else if digits > 0, byte == Ascii.carriageReturn {
                place = .sizeEnd
            } else {
                guard digits > 0 else { throw Self.malformed }
                chunkExtension = ChunkExtension()
                try takeExtension(byte)
                place = .sizeExtension
            }
        case .sizeExtension:
            if byte == Ascii.carriageReturn {
                guard chunkExtension.mayEnd else { throw Self.malformed }
                place = .sizeEnd
            } else {
                try takeExtension(byte)
            }
        case .sizeEnd:
            guard byte == Ascii.lineFeed else { throw Self.malformed }
            guard size <= UInt64(max(0, bodyLimit &- bodyCount)) else { throw .contentTooLarge(limit: bodyLimit) }
            remaining = Int(size)
            place = size == 0 ? .trailer : .data
            (size, digits) = (0, 0)
        case .dataReturn:
            guard byte == Ascii.carriageReturn else { throw Self.malformed }
            place = .dataEnd
        case .dataEnd:
            guard byte == Ascii.lineFeed else { throw Self.malformed }
            place = .size
        case .trailer:
            return try takeTrailer(byte)
        case .data:
            break
        }
        return false
    }

    /// All extensions of a body together are bounded like its fields.
    private mutating func takeExtension(_ byte: UInt8) throws(RequestFailure) {
        extensionBytes &+= 1
        guard extensionBytes <= limits.fieldBytes, chunkExtension.take(byte) else { throw Self.malformed }
    }

    private mutating func takeTrailer(_ byte: UInt8) throws(RequestFailure) -> Bool {
        trailerBytes &+= 1
        guard trailerBytes <= limits.fieldBytes else { throw .fieldsTooLarge(limits) }
        guard byte == Ascii.lineFeed else {
            trailer.append(byte)
            return false
        }
        guard trailer.popLast() == Ascii.carriageReturn else { throw Self.malformed }
        guard !trailer.isEmpty else { return true }
        trailerCount &+= 1
        guard trailerCount <= limits.fieldCount else { throw .fieldsTooLarge(limits) }
        _ = try FieldLine.parse(trailer.span, in: 0..<trailer.count)
        trailer.removeAll(keepingCapacity: true)
        return false
    }
}
