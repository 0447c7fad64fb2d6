/// The URL that an action opens: a URI (RFC 3986 section 3) with https or a custom scheme, at most 2,048 bytes, stored unchanged. A
/// fragment is allowed, unlike in `absolute-URI` (section 4.3), because apps use it for routing.
package struct ActionURL: Hashable, Sendable, TextRepresentable {
    package let description: String

    package enum ParseError: Error {
        case invalid, tooLong, scheme
    }

    package static let maxBytes = 2048
    private static let refusedSchemes: Set = ["http", "javascript", "data", "file", "about", "blob"]

    package init(checking text: String) throws(ParseError) {
        guard text.utf8.count <= Self.maxBytes else { throw .tooLong }
        let parts = URIParts(text)
        guard let scheme = parts.scheme?.lowercased(), URIParts.isAbsoluteURI(text, parts) else { throw .invalid }
        guard !Self.refusedSchemes.contains(scheme) else { throw .scheme }
        if scheme == "https", parts.host?.isEmpty ?? true { throw .invalid }
        description = text
    }

    /// A stored URL, which was validated before.
    package init(stored text: String) {
        description = text
    }

    /// In lower case, because schemes are case-insensitive.
    package var scheme: String {
        description.prefix { $0 != ":" }.lowercased()
    }
}
