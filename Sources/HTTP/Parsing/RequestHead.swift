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
