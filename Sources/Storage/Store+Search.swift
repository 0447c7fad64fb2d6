import QuickActions
import Shortcuts

extension Store {
    package func search(_ words: SearchWords, within scope: Scope, _ page: PageRequest) throws(Failure) -> Page<SearchHit> {
        try Search(words: words, scope: scope, noteUnreadable: configuration.noteUnreadable).page(page, of: database)
    }
}

extension StoreReader {
    package func search(_ words: SearchWords, within scope: Scope, _ page: PageRequest) throws(Failure) -> Page<SearchHit> {
        try Search(words: words, scope: scope).page(page, of: database)
    }
}

private struct Search {
    /// The limits of what is read for one page.
    private static let most = (rows: 5000, bytes: 16 << 20)

    let words: SearchWords
    let scope: Scope
    var noteUnreadable: @Sendable (UnreadableRow) -> Void = { _ in }

    fileprivate static let listing = Listing<SearchMark>(
        name: "search", start: [.integer(0), .text(""), .text(""), .text(""), .integer(0)]
    ) { [.integer($0.part.rawValue), .text($0.app), .text($0.audience), .text($0.position), .integer($0.skipped)] }

    private static func cursor(of mark: SearchMark) -> String { listing.cursor(listing.key(mark)) }

    /// Empty for a document that cannot be read.
    private func hits(in row: SearchedRow) -> [SearchHit] {
        do throws(Failure) {
            return try row.hits(of: words)
        } catch {
            noteUnreadable(UnreadableRow(of: "revisions and drafts", error))
            return []
        }
    }

    func page(_ request: PageRequest, of database: any SQLReader) throws(Failure) -> Page<SearchHit> {
        var mark = SearchMark()
        if let cursor = request.cursor {
            guard let given = SearchMark(try Self.listing.key(of: request)) else { throw .malformedCursor(cursor) }
            mark = given
        }
        // Each hit with the mark from which a search would continue after it.
        var found: [(hit: SearchHit, rest: SearchMark)] = []
        func page(until mark: SearchMark?) -> Page<SearchHit> {
            let rests = found.map(\.rest)
            return Page(items: found.map(\.hit), next: mark.map { Self.cursor(of: $0) }) { Self.cursor(of: rests[$0]) }
        }
        var left = Self.most
        while true {
            // Each chunk is a separate read, so that no snapshot of the database is held for long.
            let (start, scope) = (mark, scope)
            let rows = try database.read { connection throws(Failure) in try connection.searchedRows(from: start, within: scope) }
            for row in rows {
                let skipped = row.mark.isSameRow(as: start) ? start.skipped : 0
                for (index, hit) in hits(in: row).enumerated() where index >= skipped {
                    mark = row.mark
                    mark.skipped = Int64(index)
                    guard found.count < request.limit else { return page(until: mark) }
                    mark.skipped += 1
                    found.append((hit, rest: mark))
                }
                mark = row.mark
                mark.skipped = .max
                left = (left.rows - 1, left.bytes - row.size)
                guard left.rows > 0, left.bytes > 0 else { return page(until: mark) }
            }
            guard rows.count < SearchedRow.atOnce else { continue }
            guard let next = SearchMark.Part(rawValue: start.part.rawValue + 1) else { return page(until: nil) }
            mark = SearchMark(part: next)
        }
    }
}

/// A position in the search: a row, and how many of its hits are on previous pages.
private struct SearchMark {
    enum Part: Int64 {
        case apps, sets, drafts
    }

    var part = Part.apps
    var app = ""
    var audience = ""
    var position = ""
    var skipped: Int64 = 0

    func isSameRow(as other: SearchMark) -> Bool {
        (part, app, audience, position) == (other.part, other.app, other.audience, other.position)
    }
}

extension SearchMark {
    /// Nil for a key that is not a mark's.
    /// - Parameter key: from a cursor, which is client input.
    init?(_ key: [SQLValue]) {
        func text(_ index: Int) -> String { if key.count > index, case .text(let text) = key[index] { text } else { "" } }
        func integer(_ index: Int) -> Int64 { if key.count > index, case .integer(let integer) = key[index] { integer } else { 0 } }
        guard let part = Part(rawValue: integer(0)), integer(4) >= 0 else { return nil }
        self.init(part: part, app: text(1), audience: text(2), position: text(3), skipped: integer(4))
    }
}

private struct SearchedRow {
    /// The number of rows to read at once.
    static let atOnce = 50

    private enum Content {
        case app(App)
        case set(SearchHit.Place, document: String)
    }

    let mark: SearchMark
    private let content: Content

    init(_ app: App) {
        mark = SearchMark(part: .apps, app: app.id.description)
        content = .app(app)
    }

    init(_ place: SearchHit.Place, document: String) {
        mark = SearchMark(
            part: place.source == .draft ? .drafts : .sets, app: place.app.description, audience: place.audience.description,
            position: place.version.position)
        content = .set(place, document: document)
    }

    /// An estimate, in bytes.
    var size: Int { if case .set(_, let document) = content { document.utf8.count } else { 256 } }

    func hits(of words: SearchWords) throws(Failure) -> [SearchHit] {
        switch content {
        case .app(let app): return words.hit(in: app).map { [$0] } ?? []
        case .set(let place, let document):
            guard words.mayOccur(in: document, at: place) else { return [] }
            return words.hits(in: try ShortcutSet(stored: Array(document.utf8)), at: place)
        }
    }
}

extension SQLConnection {
    /// Starts at the mark's row.
    fileprivate func searchedRows(from mark: SearchMark, within scope: Scope) throws(Failure) -> [SearchedRow] {
        guard mark.part != .apps else {
            let (condition, values) = scope.condition(on: "id")
            return try rows(
                "SELECT \(App.columns) FROM apps WHERE id >= ? AND \(condition) ORDER BY id LIMIT ?",
                [.text(mark.app)] + values + [SQLValue(SearchedRow.atOnce)], as: App.self
            ).map { SearchedRow($0) }
        }
        let (condition, values) = scope.condition(on: "s.app")
        let source =
            mark.part == .sets
            ? "r.version, r.number, r.document FROM sets s JOIN revisions r ON r.app = s.app AND r.number = s.revision"
            : "s.version, NULL, s.document FROM drafts s"
        return try rows(
            """
            SELECT s.app, a.name, s.audience, \(source) JOIN apps a ON a.id = s.app
            WHERE s.app >= ? AND (s.app > ? OR (s.app = ? AND (s.audience > ? OR (s.audience = ? AND s.position <= ?)))) AND \(condition)
            ORDER BY s.app, s.audience, s.position DESC LIMIT ?
            """,
            [
                .text(mark.app), .text(mark.app), .text(mark.app), .text(mark.audience), .text(mark.audience), .text(mark.position),
            ] + values + [SQLValue(SearchedRow.atOnce)], as: SearchedSet.self
        ).map(\.row)
    }
}

private struct SearchedSet: RowReadable {
    let row: SearchedRow

    init(row: inout SQLRow) throws(Failure) {
        let (app, name, audience): (AppID, Text?, Audience) = (try row.read(), try row.read(), try row.read())
        let (version, revision): (AppVersion, Int64?) = (try row.read(), try row.read())
        let place = SearchHit.Place(
            source: revision == nil ? .draft : .set, app: app, name: name, version: version, audience: audience, revision: revision)
        self.row = SearchedRow(place, document: try row.text())
    }
}
