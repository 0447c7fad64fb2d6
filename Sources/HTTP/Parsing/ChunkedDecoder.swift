import QuickActions

/// A state machine that decodes a chunked body (RFC 9112 7.1): framing byte by byte, data in bulk.
///
/// Extensions and trailer fields are checked and dropped. Their size is limited.
struct ChunkedDecoder: Sendable {
    private enum State: Sendable {
        case size, sizeExtension, sizeEnd, data, dataReturn, dataEnd, trailer
    }

    private var state = State.size
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

    /// - Parameter bodyLimit: in bytes of data.
    init(limits: RequestLimits, bodyLimit: Int) {
        self.limits = limits
        self.bodyLimit = bodyLimit
    }

    /// Appends the data in `bytes` to `body` and advances `index` over the consumed bytes.
    /// - Returns: true at the end of the body.
    /// - Throws: 400 for framing that violates RFC 9112, 413 above the body limit, 431 for too many trailer fields.
    mutating func receive(
        _ bytes: Span<UInt8>, from index: inout Int, into body: inout [UInt8]
    ) throws(RequestFailure) -> Bool {
        while index < bytes.count {
            if state == .data {
                let count = min(remaining, bytes.count &- index)
                bytes.extracting(index..<index &+ count).withUnsafeBufferPointer { body.append(contentsOf: $0) }
                index &+= count
                remaining &-= count
                if remaining == 0 { state = .dataReturn }
                continue
            }
            let byte = bytes[index]
            index &+= 1
            if try consume(byte, bodyCount: body.count) { return true }
        }
        return false
    }

    private static let malformed = RequestFailure.badRequest(
        "The chunked body is malformed. Send sizes in hexadecimal and end lines with CR LF.")

    /// Consumes one byte of framing; true at the end of the body.
    private mutating func consume(_ byte: UInt8, bodyCount: Int) throws(RequestFailure) -> Bool {
        switch state {
        case .size:
            if let value = byte.hexadecimalValue {
                guard digits < 16 else { throw Self.malformed }
                size = size << 4 | UInt64(value)
                digits &+= 1
            } else if digits > 0, byte == Ascii.carriageReturn {
                state = .sizeEnd
            } else {
                guard digits > 0 else { throw Self.malformed }
                chunkExtension = ChunkExtension()
                try consumeExtension(byte)
                state = .sizeExtension
            }
        case .sizeExtension:
            if byte == Ascii.carriageReturn {
                guard chunkExtension.canEnd else { throw Self.malformed }
                state = .sizeEnd
            } else {
                try consumeExtension(byte)
            }
        case .sizeEnd:
            guard byte == Ascii.lineFeed else { throw Self.malformed }
            guard size <= UInt64(max(0, bodyLimit &- bodyCount)) else { throw .contentTooLarge(limit: bodyLimit) }
            remaining = Int(size)
            state = size == 0 ? .trailer : .data
            (size, digits) = (0, 0)
        case .dataReturn:
            guard byte == Ascii.carriageReturn else { throw Self.malformed }
            state = .dataEnd
        case .dataEnd:
            guard byte == Ascii.lineFeed else { throw Self.malformed }
            state = .size
        case .trailer:
            return try consumeTrailer(byte)
        case .data:
            break
        }
        return false
    }

    /// All extensions of a body together have the limit of the request's fields.
    private mutating func consumeExtension(_ byte: UInt8) throws(RequestFailure) {
        extensionBytes &+= 1
        guard extensionBytes <= limits.fieldBytes, chunkExtension.consume(byte) else { throw Self.malformed }
    }

    private mutating func consumeTrailer(_ byte: UInt8) throws(RequestFailure) -> Bool {
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

/// A state machine that checks the syntax of chunk extensions, `*( BWS ";" BWS name [ BWS "=" BWS value ] )` (RFC 9112 7.1.1). They are
/// ignored.
struct ChunkExtension: Sendable {
    private enum State: Sendable {
        case beforeSemicolon, beforeName, name, afterName, beforeValue, value, quoted, escaped, afterValue
    }

    private var state = State.beforeSemicolon

    /// Whether the line may end in this state.
    var canEnd: Bool {
        switch state {
        case .name, .value, .afterValue: true
        case .beforeSemicolon, .beforeName, .afterName, .beforeValue, .quoted, .escaped: false
        }
    }

    /// Consumes one byte; false if the syntax does not allow it.
    mutating func consume(_ byte: UInt8) -> Bool {
        let isToken = ByteClass.token.contains(byte)
        let isBlank = Ascii.isBlank(byte)
        switch state {
        case .beforeSemicolon where byte == Ascii.semicolon: state = .beforeName
        case .beforeName where isToken: state = .name
        case .name where isToken: break
        case .name where isBlank: state = .afterName
        case .name where byte == Ascii.equals, .afterName where byte == Ascii.equals: state = .beforeValue
        case .beforeValue where isToken: state = .value
        case .beforeValue where byte == Ascii.quote: state = .quoted
        case .value where isToken: break
        case .quoted where byte == Ascii.quote: state = .afterValue
        case .quoted where byte == Ascii.backslash: state = .escaped
        case .quoted where ByteClass.isFieldValue(byte): break
        case .escaped where ByteClass.isFieldValue(byte): state = .quoted
        case .value where isBlank: state = .afterValue
        case .name where byte == Ascii.semicolon, .afterName where byte == Ascii.semicolon,
            .value where byte == Ascii.semicolon, .afterValue where byte == Ascii.semicolon:
            state = .beforeName
        case .beforeSemicolon, .beforeName, .afterName, .beforeValue, .afterValue: return isBlank
        case .name, .value, .quoted, .escaped: return false
        }
        return true
    }
}
