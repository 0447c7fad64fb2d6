import QuickActions

/// The ranges of a field's name and value in a request's bytes.
package struct FieldRange: Sendable {
    package let name: Range<Int>
    package let value: Range<Int>
}

/// How a request's body is delimited (RFC 9112 6.3).
package enum BodyFraming: Equatable, Sendable {
    case none
    /// In bytes, above 0.
    case length(Int)
    case chunked
}

/// A parsed request head, as ranges of the parsed bytes: `bytes.extracting(head.target)`.
///
/// Parsing copies nothing. The array of fields is reused for the next request.
package struct RequestHead: Sendable {
    package internal(set) var method = Method.get
    package internal(set) var target = 0..<0
    /// The path in the target. Empty if an absolute target has no path.
    package internal(set) var path = 0..<0
    package internal(set) var query: Range<Int>?
    package internal(set) var minorVersion = 1
    package internal(set) var fields: [FieldRange] = []

    package internal(set) var host: Range<Int>?
    package internal(set) var accept: Range<Int>?
    package internal(set) var acceptEncoding: Range<Int>?
    package internal(set) var acceptLanguage: Range<Int>?
    package internal(set) var ifNoneMatch: Range<Int>?
    package internal(set) var authorization: Range<Int>?
    /// Empty if the field is repeated; the same applies to `traceParent`.
    package internal(set) var requestID: Range<Int>?
    package internal(set) var traceParent: Range<Int>?
    /// Whether a field from `host` to `authorization` is repeated. Its range is then the last occurrence.
    package internal(set) var repeatsKnownField = false
    /// Whether there is an `If-Match`, which is evaluated before other preconditions (RFC 9110 13.2.2).
    package internal(set) var hasIfMatch = false

    package internal(set) var framing = BodyFraming.none
    /// Whether the client waits for `100 Continue` (RFC 9110 10.1.1).
    package internal(set) var expectsContinue = false
    /// Whether the connection may serve another request (RFC 9112 9.3).
    package internal(set) var keepsAlive = true

    // Input of `finish`.
    var contentLength: Int?
    var codings = TransferCodings()
    var asksClose = false
    var asksKeepAlive = false

    mutating func reset() {
        var fields = self.fields
        self.fields = []
        fields.removeAll(keepingCapacity: true)
        self = RequestHead()
        self.fields = fields
    }
}

extension RequestHead {
    /// Appends a field, and parses it if the server itself uses it.
    @inline(__always)
    mutating func append(_ field: FieldRange, _ bytes: Span<UInt8>) throws(RequestFailure) {
        fields.append(field)
        let name = field.name
        switch name.count {
        case 4 where bytes.spells("host", in: name): try parseHost(bytes, field.value)
        case 6 where bytes.spells("accept", in: name): accept = replacing(field.value, previous: accept)
        case 6 where bytes.spells("expect", in: name): try parseExpect(bytes, field.value)
        case 8 where bytes.spells("if-match", in: name): hasIfMatch = true
        case 10 where bytes.spells("connection", in: name): parseConnection(bytes, field.value)
        case 11 where bytes.spells("traceparent", in: name): traceParent = traceParent == nil ? field.value : 0..<0
        case 12 where bytes.spells("x-request-id", in: name): requestID = requestID == nil ? field.value : 0..<0
        case 13 where bytes.spells("if-none-match", in: name): ifNoneMatch = replacing(field.value, previous: ifNoneMatch)
        case 13 where bytes.spells("authorization", in: name): authorization = replacing(field.value, previous: authorization)
        case 14 where bytes.spells("content-length", in: name): try parseContentLength(bytes, field.value)
        case 15 where bytes.spells("accept-encoding", in: name): acceptEncoding = replacing(field.value, previous: acceptEncoding)
        case 15 where bytes.spells("accept-language", in: name): acceptLanguage = replacing(field.value, previous: acceptLanguage)
        case 17 where bytes.spells("transfer-encoding", in: name): try codings.append(bytes, field.value)
        default: break
        }
    }

    /// Checks the fields for consistency at the end of the head, and determines framing and persistence.
    mutating func finish(_ bytes: Span<UInt8>) throws(RequestFailure) {
        guard host != nil || minorVersion == 0 else {
            throw .badRequest("The Host field is missing. Send exactly one.")
        }
        if !codings.isEmpty {
            // RFC 9112 6.1: both together, and chunks in HTTP/1.0, are used for request smuggling.
            guard contentLength == nil else { throw .badRequest("Send Content-Length or Transfer-Encoding, not both.") }
            guard minorVersion > 0 else { throw .badRequest("HTTP/1.0 has no Transfer-Encoding. Send Content-Length.") }
            try codings.check()
            framing = .chunked
        } else if let contentLength, contentLength > 0 {
            framing = .length(contentLength)
        }
        keepsAlive = !asksClose && (minorVersion > 0 || asksKeepAlive)
        expectsContinue = expectsContinue && minorVersion > 0 && framing != .none
    }

    @inline(__always)
    private mutating func replacing(_ value: Range<Int>, previous: Range<Int>?) -> Range<Int> {
        if previous != nil { repeatsKnownField = true }
        return value
    }

    private mutating func parseHost(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestFailure) {
        guard host == nil else { throw .badRequest("There is more than one Host field. Send exactly one.") }
        guard Authority.isValid(bytes, in: value) else { throw .badRequest("The Host field is not a host name with an optional port.") }
        host = value
    }

    /// Digits only. A repeated field or a list is rejected even if its values are equal, which RFC 9112 6.3 allows.
    private mutating func parseContentLength(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestFailure) {
        guard contentLength == nil else { throw .badRequest("There is more than one Content-Length field. Send one.") }
        var length = 0
        for index in value {
            let digit = bytes[index] &- Ascii.zero
            let (tens, tooMany) = length.multipliedReportingOverflow(by: 10)
            let (sum, tooLarge) = tens.addingReportingOverflow(Int(digit))
            guard digit < 10, !tooMany, !tooLarge else { throw Self.badLength }
            length = sum
        }
        guard !value.isEmpty else { throw Self.badLength }
        contentLength = length
    }

    private static let badLength = RequestFailure.badRequest("Content-Length is not a number of bytes. Send digits only.")

    private mutating func parseExpect(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestFailure) {
        try bytes.forEachElement(in: value) { (element) throws(RequestFailure) in
            guard bytes.spells("100-continue", in: element) else { throw .expectationFailed }
        }
        expectsContinue = true
    }

    private mutating func parseConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        bytes.forEachElement(in: value) { option in
            if bytes.spells("close", in: option) { asksClose = true }
            if bytes.spells("keep-alive", in: option) { asksKeepAlive = true }
        }
    }
}

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
