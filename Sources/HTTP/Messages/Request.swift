/// A request, whole and well-formed.
package struct Request: Sendable {
    package let method: Method
    /// The request target as it came: origin, absolute or asterisk form (RFC 9112 section 3.2).
    package let target: String
    /// The path's segments, percent-decoded one by one, so that an escaped slash does not split. Empty for `*`.
    package let path: [String]
    package let query: Query
    package let fields: Fields
    package var body: [UInt8]
    /// 16 hexadecimal digits; in every problem and log line of the request.
    package let id: String
    package let peerAddress: String

    package init(
        method: Method, target: String, path: [String], query: Query, fields: Fields, body: [UInt8] = [], id: String,
        peerAddress: String
    ) {
        self.method = method
        self.target = target
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.id = id
        self.peerAddress = peerAddress
    }

    /// The body's media type in lower case without parameters; nil where none is named.
    package var mediaType: String? {
        fields.first("Content-Type").map { field in
            field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
    }
}

/// A target taken apart.
package struct RequestTarget: Sendable {
    package let path: [String]
    package let query: Query

    /// Nil when an escape decodes to no UTF-8 or to a NUL.
    package init?(_ target: String) {
        if target == "*" {
            (path, query) = ([], Query())
            return
        }
        let origin = Self.originForm(target)
        let halves = origin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for segment in halves[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let decoded = percentDecoded(segment.utf8), !decoded.utf8.contains(0) else { return nil }
            path.append(decoded)
        }
        guard let query = halves.count == 2 ? Query(halves[1].utf8) : Query() else { return nil }
        self.path = path
        self.query = query
    }

    /// The path and query of an absolute form; an origin form as it is.
    private static func originForm(_ target: String) -> Substring {
        guard !target.hasPrefix("/"), let scheme = target.range(of: "://") else { return target[...] }
        let rest = target[scheme.upperBound...]
        guard let slash = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return rest[slash] == "/" ? rest[slash...] : "/" + rest[slash...]
    }
}

extension String {
    fileprivate func range(of separator: String) -> Range<String.Index>? {
        ranges(of: separator).first
    }
}
