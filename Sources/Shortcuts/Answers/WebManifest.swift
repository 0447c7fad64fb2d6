import QuickActions

/// A menu as the `shortcuts` of a Web Application Manifest (W3C, https://www.w3.org/TR/appmanifest/#shortcuts-member).
///
/// A web shortcut is only a URL, so an item without an https URL in the scope is omitted as a whole.
package struct WebManifest {
    /// Browsers truncate longer short names.
    static let maxShortName = 12

    private var shortcuts: [JSON] = []
    private var omitted: [Omission] = []

    package init(of answer: ShortcutsAnswer, within scope: WebScope?) {
        omitted = Omission.all(of: answer)
        for item in answer.effective.set.plainItems {
            do throws(UnsuitableItem) {
                add(item, answer.row(of: item), opening: try Self.page(of: item, within: scope))
            } catch {
                omitted.append(Omission(item: item.id, member: nil, reason: error.reason))
            }
        }
    }

    package var json: JSON {
        ["shortcuts": .array(shortcuts), "omitted": .array(omitted.map(\.json))]
    }

    /// Why an item cannot be a web shortcut.
    private struct UnsuitableItem: Error {
        let reason: String
    }

    private static func page(of item: ShortcutItem, within scope: WebScope?) throws(UnsuitableItem) -> ActionURL {
        guard let url = item.url else {
            throw UnsuitableItem(reason: "The item has no url, but a web shortcut requires one. Give the item an https url.")
        }
        guard url.scheme == "https" else {
            throw UnsuitableItem(reason: "\(quoted(url.description)) is not https, so a web app cannot open it. Use an https url.")
        }
        if let scope, !scope.contains(url) {
            throw UnsuitableItem(
                reason: "\(quoted(url.description)) is outside the scope \(quoted(scope.description)). Use the scope's origin and a path "
                    + "that begins with the scope's path.")
        }
        return url
    }

    private mutating func add(_ item: ShortcutItem, _ row: ShortcutItem.Row, opening url: ActionURL) {
        let length = row.title.string.count
        let isShort = length <= Self.maxShortName
        shortcuts.append(
            [
                "name": .string(row.title), "short_name": isShort ? .string(row.title) : nil,
                "description": row.subtitle.map { .string($0) },
                "url": .string(url),
            ])
        if !isShort {
            let reason = "The short name is left out: the title has \(length) characters (limit \(Self.maxShortName))."
            omitted.append(Omission(item: item.id, member: "short_name", reason: reason))
        }
        omitted += [.icon(of: item), Self.userInfo(of: item), .targetContentIdentifier(of: item)].compactMap { $0 }
    }

    private static func userInfo(of item: ShortcutItem) -> Omission? {
        guard !item.userInfo.isEmpty else { return nil }
        let keys = item.userInfo.members.map { quoted($0.key.string) }.joined(separator: ", ")
        return Omission(
            item: item.id, member: "userInfo", reason: "A web shortcut has only a url, so \(keys) would be lost. Put the data in the url.")
    }
}

/// The scope of a web app: the URLs of its origin whose path begins with the scope's path (W3C Web Application Manifest, "within scope").
/// Query and fragment are ignored.
package struct WebScope: Sendable, CustomStringConvertible, TextParsable {
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
