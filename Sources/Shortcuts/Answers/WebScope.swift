import QuickActions

/// The scope of a web app: the URLs of its origin whose path begins with the scope's path (W3C Web Application Manifest, "within scope").
/// Query and fragment are ignored.
package struct WebScope: Sendable, CustomStringConvertible {
    package let description: String
    private let page: Page

    /// Nil unless the text is an absolute https URL.
    package init?(_ text: String) {
        guard let url = try? ActionURL(checking: text), let page = Page(url) else { return nil }
        description = text
        self.page = page
    }

    package func contains(_ url: ActionURL) -> Bool {
        guard let other = Page(url) else { return false }
        return other.host == page.host && other.port == page.port && other.path.starts(with: page.path)
    }

    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not a scope. Use an absolute https URL of at most \(ActionURL.maxBytes) bytes, for example https://example.com/app/."
    }
}

extension WebScope {
    /// An https URL, normalized as in the URL Standard: host in lower case, no default port, no dot segments.
    private struct Page {
        let host: String
        let port: Substring
        let path: [UInt8]

        init?(_ url: ActionURL) {
            let parts = URIParts(url.description)
            guard url.scheme == "https", let host = parts.host else { return nil }
            self.host = host.lowercased()
            let port = (parts.port ?? "").drop { $0 == "0" }
            self.port = port == "443" ? "" : port
            path = Self.withoutDotSegments(parts.path)
        }

        private static func withoutDotSegments(_ path: Substring) -> [UInt8] {
            var kept: [Substring] = []
            let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            for (index, segment) in segments.enumerated() {
                let isLast = index == segments.count - 1
                switch segment.lowercased().replacing("%2e", with: ".") {
                case "..":
                    _ = kept.popLast()
                    if isLast { kept.append("") }
                case ".": if isLast { kept.append("") }
                default: kept.append(segment)
                }
            }
            // An empty path is the root.
            return Array(("/" + kept.joined(separator: "/")).utf8)
        }
    }
}
