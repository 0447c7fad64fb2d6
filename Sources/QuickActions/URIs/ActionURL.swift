/// Where an action leads: a URI with its scheme (RFC 3986 section 3; `absolute-URI` of section 4.3 would have no fragment, by which
/// apps route too), https or a custom scheme, at most 2,048 bytes. It is kept as sent, with its fragment.
package struct ActionURL: Hashable, Sendable, TextRepresentable {
    package let description: String

    package enum Refusal: Error {
        case invalid, tooLong, scheme
    }

    package static let maxBytes = 2048
    private static let refusedSchemes: Set = ["http", "javascript", "data", "file", "about", "blob"]

    package init(checking text: String) throws(Refusal) {
        guard text.utf8.count <= Self.maxBytes else { throw .tooLong }
        let parts = URIParts(text)
        guard let scheme = parts.scheme?.lowercased(), URIParts.isAbsoluteURI(text, parts) else { throw .invalid }
        guard !Self.refusedSchemes.contains(scheme) else { throw .scheme }
        if scheme == "https", parts.host?.isEmpty ?? true { throw .invalid }
        description = text
    }

    /// One that was checked when it was stored.
    package init(stored text: String) {
        description = text
    }

    /// In lower case: schemes are compared case-insensitively.
    package var scheme: String {
        description.prefix { $0 != ":" }.lowercased()
    }
}
