/// The places of a field's name and value.
package struct FieldRange: Sendable {
    package let name: Range<Int>
    package let value: Range<Int>
}

/// How the end of a request's body is found (RFC 9112 6.3).
package enum BodyFraming: Equatable, Sendable {
    case none
    /// Bytes, above zero.
    case length(Int)
    case chunked
}

/// What a request's head says, as places in the bytes it was parsed from: `bytes.extracting(head.target)`.
///
/// Nothing is copied; the field array is reused from one request to the next.
package struct RequestHead: Sendable {
    package internal(set) var method = Method.get
    package internal(set) var target = 0..<0
    /// The path inside the target; empty where an absolute target has none.
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
    /// Whether one of the fields above came more than once, so that its place tells half of it only.
    package internal(set) var repeatsKnownField = false
    /// Whether there is an `If-Match` to be judged before anything else (RFC 9110 13.2.2).
    package internal(set) var hasIfMatch = false

    package internal(set) var framing = BodyFraming.none
    /// Whether the client waits for `100 Continue` (RFC 9110 10.1.1).
    package internal(set) var expectsContinue = false
    /// Whether the connection may serve another request (RFC 9112 9.3).
    package internal(set) var keepsAlive = true

    // What is only settled at the end of the head.
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
