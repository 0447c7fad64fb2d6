import Foundation
import QuickActions
import SQL
import Shortcuts

/// A list that is read in parts, each going on behind the key of the last entry of the one before. What comes or goes
/// elsewhere in the list between two parts neither repeats nor drops an entry.
struct Listing {
    /// Written into its cursors: another list's cursor is refused.
    let name: String
    /// A key that comes before every entry's; its values have the kinds of a key.
    let start: [SQLValue]

    struct Entry<Element: Sendable> {
        let element: Element
        let key: [SQLValue]
    }

    /// The key behind which the part begins.
    func key(_ request: PageRequest) throws(Failure) -> [SQLValue] {
        guard let cursor = request.cursor else { return start }
        guard let key = key(cursor) else {
            throw Failure(
                .invalidParameter,
                "cursor: \(quoted(cursor)) is not what this list's next said. Leave it out to begin at the beginning.")
        }
        return key
    }

    /// - Parameter entries: one more than the limit where there are more.
    func page<Element>(_ entries: [Entry<Element>], limit: Int) -> Page<Element> {
        let shown = entries.prefix(limit)
        let next = entries.count > limit ? shown.last.map { cursor($0.key) } : nil
        return Page(items: shown.map(\.element), next: next)
    }

    /// Reads on until the part is full: the scope of an entry is judged outside the statement.
    func page<Element>(
        _ request: PageRequest, read: (_ key: [SQLValue], _ limit: Int) throws(Failure) -> [Entry<Element>],
        accepts: (Element) -> Bool
    ) throws(Failure) -> Page<Element> {
        var (key, found) = (try key(request), [Entry<Element>]())
        let wanted = request.limit + 1
        while found.count < wanted {
            let entries = try read(key, wanted)
            found += entries.filter { accepts($0.element) }
            guard entries.count == wanted, let last = entries.last else { break }
            key = last.key
        }
        return page(found, limit: request.limit)
    }

    /// Opaque text, base64url without padding (RFC 4648 section 5).
    private func cursor(_ key: [SQLValue]) -> String {
        let plain = ([name] + key.map(\.keyText)).joined(separator: "\n")
        return base64URL(Array(plain.utf8))
    }

    private func key(_ cursor: String) -> [SQLValue]? {
        let base64 = cursor.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64 + padding), let plain = String(data: data, encoding: .utf8)
        else { return nil }
        let fields = plain.split(separator: "\n", omittingEmptySubsequences: false)
        guard fields.first.map(String.init) == name, fields.count == start.count + 1 else { return nil }
        let key = zip(start, fields.dropFirst()).compactMap { $0.sameKind(String($1)) }
        return key.count == start.count ? key : nil
    }
}

extension SQLValue {
    fileprivate var keyText: String {
        switch self {
        case .integer(let integer): "\(integer)"
        case .text(let text): text
        case .null, .blob: ""
        }
    }

    /// The text read as a value of this one's kind.
    fileprivate func sameKind(_ text: String) -> SQLValue? {
        switch self {
        case .integer: Int64(text).map(SQLValue.integer)
        case .text: .text(text)
        case .null, .blob: nil
        }
    }
}
