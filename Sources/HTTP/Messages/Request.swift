/// A complete request, with its target decoded.
package struct Request: Sendable {
    package var method: Method
    /// The target as sent.
    package let target: String
    /// The path as sent, without the query; `*` for `OPTIONS *`.
    package let rawPath: String
    /// The decoded path segments: `/` has none, `/a/` has `a` and an empty one. An encoded slash does not separate segments.
    package let path: [String]
    /// The query as sent, without its question mark.
    package let rawQuery: String?
    package let query: Query
    package var fields: Fields
    package var body: [UInt8]
    /// The minor version of HTTP/1.x; above 1 it is read as 1.
    package let minorVersion: Int
    /// 16 lower-case hexadecimal digits that the server made, or the id of a trusted proxy; see `RequestID`.
    package let id: String
    /// The field `traceparent`, if it is valid, as one of version 00 (W3C Trace Context, section 3.2).
    package let traceParent: String?
    /// The peer, or the client that a trusted proxy names.
    package let sender: Sender
    /// The numeric address of the connection, without port.
    package let peer: String

    /// The request whose head was parsed from `bytes`.
    /// - Parameter peerAddress: numeric, without port.
    /// - Throws: 400 if the target does not decode to UTF-8.
    package init(
        _ head: borrowing RequestHead, _ bytes: Span<UInt8>, id: String, peerAddress: String, proxies: TrustedProxies = TrustedProxies()
    ) throws(RequestFailure) {
        method = head.method
        target = bytes.text(head.target)
        rawPath = head.path.isEmpty ? "/" : bytes.text(head.path)
        path = try Self.segments(of: rawPath)
        let rawQuery: String? = if let range = head.query { bytes.text(range) } else { nil }
        self.rawQuery = rawQuery
        query = if let rawQuery { try Query(decoding: rawQuery) } else { Query() }
        var fields = Fields()
        fields.reserveCapacity(head.fields.count)
        for field in head.fields {
            fields.append(bytes.text(field.name), bytes.text(field.value))
        }
        self.fields = fields
        body = []
        minorVersion = head.minorVersion
        self.id = id
        traceParent = head.traceParent.flatMap { TraceParent.valid(bytes.extracting($0)) }
        sender = proxies.sender(of: fields, from: peerAddress)
        peer = peerAddress
    }

    /// A request made in process. Its peer is its sender.
    /// - Throws: what a connection answers to an invalid `target`.
    package init(
        _ method: Method, _ target: String, fields: Fields = [:], body: [UInt8] = [], id: String = "0000000000000000",
        sender: Sender = Sender(address: "")
    ) throws(RequestFailure) {
        let bytes = Array(target.utf8)
        let parts = try TargetParts(bytes.span, in: 0..<bytes.count, method: method)
        self.method = method
        self.target = target
        rawPath = parts.path.isEmpty ? "/" : bytes.span.text(parts.path)
        path = try Self.segments(of: rawPath)
        rawQuery = parts.query.map { bytes.span.text($0) }
        query = try Query(decoding: rawQuery ?? "")
        self.fields = fields
        self.body = body
        minorVersion = 1
        self.id = id
        traceParent = nil
        self.sender = sender
        peer = sender.address
    }

    private static func segments(of rawPath: String) throws(RequestFailure) -> [String] {
        let bytes = rawPath.utf8
        guard bytes.count > 1, bytes.first == Ascii.slash else { return [] }
        var segments: [String] = []
        for segment in bytes.dropFirst().split(separator: Ascii.slash, omittingEmptySubsequences: false) {
            segments.append(try PercentDecoding.decode(segment))
        }
        return segments
    }
}
