import Foundation
import QuickActions
import Shortcuts

/// A list that is read page by page (keyset pagination): each page begins after the key of the previous page's last entry. Concurrent
/// insertions and deletions between two pages neither repeat nor drop other entries.
struct Listing<Element: Sendable>: Sendable {
    /// Part of the cursor, so that a cursor of another list is rejected.
    let name: String
    /// A key that sorts before the key of every entry. Its values have the types of the key's columns.
    let start: [SQLValue]
    /// The values of the columns by which the statement orders.
    let key: @Sendable (Element) -> [SQLValue]

    /// - Parameters:
    ///   - batch: the minimum number of entries to read at once, if `accepts` drops most of them.
    ///   - read: reads at most `limit` entries after `key`. An entry that cannot be read is nil and left out of the page. `read` is called
    ///     again until the page is full.
    ///   - accepts: a condition that the statement cannot express, such as the scope of an entry.
    func page(
        _ request: PageRequest, batch: Int = 0, read: (_ key: [SQLValue], _ limit: Int) throws(Failure) -> [Element?],
        accepts: (Element) -> Bool = { _ in true }
    ) throws(Failure) -> Page<Element> {
        var key = try key(of: request)
        var found: [Element] = []
        // One more entry than the page holds shows whether there is a next page.
        let wanted = request.limit + 1
        var size = max(wanted, batch)
        while found.count < wanted {
            let entries = try read(key, size)
            let readable = entries.compactMap { $0 }
            found += readable.filter(accepts)
            guard entries.count == size else { break }
            // If no entry of a batch can be read, there is no key to continue from, so a larger batch is read.
            if let last = readable.last { key = self.key(last) } else { size *= 2 }
        }
        let items = Array(found.prefix(request.limit))
        let cursor: @Sendable (Int) -> String = { self.cursor(self.key(items[$0])) }
        return Page(items: items, next: found.count > items.count && !items.isEmpty ? cursor(items.count - 1) : nil, cursor: cursor)
    }

    /// Merges sorted lists, each of at most `limit` entries. A full list may have more entries, so the merge ends at the last readable
    /// entry of the first full list. The next read continues there.
    static func merged(_ lists: [[Element?]], limit: Int, by isBefore: (Element, Element) -> Bool) -> [Element?] {
        let ends = lists.filter { $0.count == limit }.map { list in list.compactMap { $0 }.last }
        let known = lists.flatMap { $0.compactMap { $0 } }.sorted(by: isBefore).prefix { entry in
            ends.allSatisfy { end in end.map { !isBefore($0, entry) } ?? false }
        }.prefix(limit)
        let total = lists.reduce(0) { $0 + $1.count }
        return Array(known) + Array(repeating: nil, count: min(total, limit) - known.count)
    }

    /// The key after which the page begins.
    func key(of request: PageRequest) throws(Failure) -> [SQLValue] {
        guard let cursor = request.cursor else { return start }
        guard let key = key(cursor) else { throw .malformedCursor(cursor) }
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

    /// Parses the text as a value of the same type as this one.
    fileprivate func sameKind(_ text: String) -> SQLValue? {
        switch self {
        case .integer: Int64(text).map(SQLValue.integer)
        // PostgreSQL cannot store a NUL in a text.
        case .text: text.utf8.contains(0) ? nil : .text(text)
        case .null, .blob: nil
        }
    }
}

extension Failure {
    static func malformedCursor(_ cursor: String) -> Failure {
        Failure(
            .invalidParameter, "cursor: \(quoted(cursor)) is not a cursor of this list. Leave it out to start from the beginning.")
    }
}
