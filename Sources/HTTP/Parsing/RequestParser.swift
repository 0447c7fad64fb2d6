/// A strict parser of request heads (RFC 9112) that copies nothing.
///
/// Each call gets all bytes received since the request began. The parser continues where it stopped, so that a head that arrives byte by
/// byte is scanned only once. The bytes may have another address at each call.
package struct RequestParser: Sendable {
    package enum Outcome: Equatable, Sendable {
        case needsMore
        /// `head` is complete; the body begins after `byteCount` bytes.
        case head(byteCount: Int)
        case refused(RequestFailure)
    }

    package private(set) var head = RequestHead()

    private enum Phase: Sendable { case start, requestLine, fields }

    private let limits: RequestLimits
    private var phase = Phase.start
    private var lineStart = 0
    private var scanned = 0
    private var fieldsStart = 0

    package init(limits: RequestLimits = RequestLimits()) { self.limits = limits }

    /// Prepares the parser for the next request.
    package mutating func reset() {
        head.reset()
        phase = .start
        lineStart = 0
        scanned = 0
        fieldsStart = 0
    }

    /// - Parameter bytes: all bytes from the request's first byte on, at least as many as at the last call.
    package mutating func parse(_ bytes: Span<UInt8>) -> Outcome {
        do throws(RequestFailure) {
            while let line = try nextLine(bytes) {
                switch phase {
                case .start where line.isEmpty:
                    phase = .requestLine  // one empty line before a request is ignored, RFC 9112 2.2
                case .start, .requestLine:
                    try parseRequestLine(bytes, line)
                    phase = .fields
                    fieldsStart = lineStart
                case .fields where line.isEmpty:
                    try head.finish(bytes)
                    return .head(byteCount: lineStart)
                case .fields:
                    guard head.fields.count < limits.fieldCount else { throw .fieldsTooLarge(limits) }
                    try head.append(FieldLine.parse(bytes, in: line), bytes)
                }
            }
            return .needsMore
        } catch {
            return .refused(error)
        }
    }

    /// The next line without its CRLF, or nil if it is incomplete.
    @inline(__always)
    private mutating func nextLine(_ bytes: Span<UInt8>) throws(RequestFailure) -> Range<Int>? {
        let start = lineStart
        guard let end = bytes.firstIndex(of: Ascii.lineFeed, in: min(scanned, bytes.count)..<bytes.count) else {
            scanned = bytes.count
            try checkLength(upTo: bytes.count)
            if phase != .fields, start < bytes.count { try checkFirst(bytes[start]) }
            return nil
        }
        try checkLength(upTo: end &+ 1)
        guard end > start, bytes[end &- 1] == Ascii.carriageReturn else {
            throw .badRequest("A line ends without a carriage return. End every line with CR LF.")
        }
        lineStart = end &+ 1
        scanned = lineStart
        return start..<end &- 1
    }

    private func checkLength(upTo end: Int) throws(RequestFailure) {
        if phase == .fields {
            guard end &- fieldsStart <= limits.fieldBytes else { throw .fieldsTooLarge(limits) }
        } else {
            guard end &- lineStart <= limits.lineBytes else { throw .targetTooLong(limit: limits.targetBytes) }
        }
    }

    /// Rejects bytes that cannot start a request line, such as a TLS handshake, before the line is complete.
    private func checkFirst(_ byte: UInt8) throws(RequestFailure) {
        let mayBeBlankLine = phase == .start && byte == Ascii.carriageReturn
        guard ByteClass.token.contains(byte) || mayBeBlankLine else { throw Self.notARequest }
    }

    private static let notARequest = RequestFailure.badRequest(
        "This is not an HTTP/1.1 request line. Send a method, a target and the version with one space between them.")

    /// `method SP request-target SP HTTP-version` (RFC 9112 3).
    private mutating func parseRequestLine(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestFailure) {
        var index = line.lowerBound
        while index < line.upperBound, ByteClass.token.contains(bytes[index]) { index &+= 1 }
        let method = line.lowerBound..<index
        guard !method.isEmpty, index < line.upperBound, bytes[index] == Ascii.space else { throw Self.notARequest }
        let target = index &+ 1
        guard let space = bytes.firstIndex(of: Ascii.space, in: target..<line.upperBound) else { throw Self.notARequest }
        head.method = Self.method(bytes, method)
        head.target = target..<space
        guard head.target.count <= limits.targetBytes else { throw .targetTooLong(limit: limits.targetBytes) }
        try parseVersion(bytes, space &+ 1..<line.upperBound)
        let parts = try TargetParts(bytes, in: head.target, method: head.method)
        head.path = parts.path
        head.query = parts.query
    }

    @inline(__always)
    private static func method(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Method {
        let first = range.lowerBound
        if range.count == 3, bytes[first] == 0x47, bytes[first &+ 1] == 0x45, bytes[first &+ 2] == 0x54 { return .get }
        return Method(rawValue: bytes.text(range))
    }

    /// `HTTP/` digit `.` digit (RFC 9112 2.3). A later minor version is read as 1 (RFC 9110 2.5).
    private mutating func parseVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFailure) {
        let first = range.lowerBound
        guard range.count == 8, bytes[first] == 0x48, bytes[first &+ 1] == 0x54, bytes[first &+ 2] == 0x54,
            bytes[first &+ 3] == 0x50, bytes[first &+ 4] == Ascii.slash, ByteClass.digit.contains(bytes[first &+ 5]),
            bytes[first &+ 6] == 0x2E, ByteClass.digit.contains(bytes[first &+ 7])
        else { throw Self.notARequest }
        guard bytes[first &+ 5] == 0x31 else { throw .versionNotSupported }
        head.minorVersion = bytes[first &+ 7] == Ascii.zero ? 0 : 1
    }
}

/// The limits of a request head.
package struct RequestLimits: Sendable {
    /// The most bytes of the request target; above it 414.
    package var targetBytes = 8 << 10
    /// The most bytes of the field section and of the trailer section, with line ends; above it 431.
    package var fieldBytes = 16 << 10
    /// The most field lines; above it 431.
    package var fieldCount = 100

    package init() {}

    /// The most bytes of the request line (method, target, version).
    var lineBytes: Int { targetBytes &+ 64 }
}
