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
        for item in answer.effective.set.enabledItems {
            do throws(Refusal) {
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
    private struct Refusal: Error {
        let reason: String
    }

    private static func page(of item: ShortcutItem, within scope: WebScope?) throws(Refusal) -> ActionURL {
        guard let url = item.url else {
            throw Refusal(reason: "The item has no url, but a web shortcut requires one. Give the item an https url.")
        }
        guard url.scheme == "https" else {
            throw Refusal(reason: "\(quoted(url.description)) is not https, so a web app cannot open it. Use an https url.")
        }
        if let scope, !scope.contains(url) {
            throw Refusal(
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
            item: item.id, member: "userInfo", reason: "A web shortcut has only a url: \(keys) would be lost. Put the data in the url.")
    }
}
