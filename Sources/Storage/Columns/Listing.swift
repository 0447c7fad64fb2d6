import Foundation
import QuickActions
import SQL
import Shortcuts

/// A list that is read page by page (keyset pagination): each page begins behind the key of the last entry of the page before.
/// Rows that are inserted or deleted elsewhere between two pages neither repeat nor drop an entry.
struct Listing<Element: Sendable>: Sendable {
    /// Written into its cursors: another list's cursor is refused.
    let name: String
    /// A key that sorts before every entry's; its values have the kinds of a key's.
    let start: [SQLValue]
    /// The values of the columns by which the statement orders.
    let key: @Sendable (Element) -> [SQLValue]

    /// - Parameters:
    ///   - batch: how many entries are read at once at least, where `accepts` drops most of them.
    ///   - read: reads at most `limit` entries behind `key`. It is called again while `accepts` leaves the page short.
    ///   - accepts: what the statement cannot decide, such as the scope of an entry.
    func page(
        _ request: PageRequest, batch: Int = 0, read: (_ key: [SQLValue], _ limit: Int) throws(Failure) -> [Element],
        accepts: (Element) -> Bool = { _ in true }
    ) throws(Failure) -> Page<Element> {
        var key = try key(of: request)
        var found: [Element] = []
        // One more than the page holds tells whether there is a next page.
        let wanted = request.limit + 1
        let count = max(wanted, batch)
        while found.count < wanted {
            let entries = try read(key, count)
            found += entries.filter(accepts)
            guard entries.count == count, let last = entries.last else { break }
            key = self.key(last)
        }
        let items = Array(found.prefix(request.limit))
        return Page(items: items, next: found.count > items.count ? items.last.map { cursor(self.key($0)) } : nil)
    }

    /// The key behind which the page begins.
    func key(of request: PageRequest) throws(Failure) -> [SQLValue] {
        guard let cursor = request.cursor else { return start }
        guard let key = key(cursor) else {
            throw Failure(
                .invalidParameter,
                "cursor: \(quoted(cursor)) is not what this list's next said. Leave it out to begin at the beginning.")
        }
        return key
    }

    /// Opaque text, base64url without padding (RFC 4648 section 5).
    func cursor(_ key: [SQLValue]) -> String {
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
        // PostgreSQL has no text with a NUL.
        case .text: text.utf8.contains(0) ? nil : .text(text)
        case .null, .blob: nil
        }
    }
}

extension Page {
    func map<Item>(_ transform: (Element) -> Item) -> Page<Item> {
        Page<Item>(items: items.map(transform), next: next)
    }
}
