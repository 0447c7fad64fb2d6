import QuickActions
import SQL
import Shortcuts

/// A list of apps in one order.
///
/// By `publishedAt`, the cursor contains the time of the first page, and later pages use the order at that time. So a publish between two
/// pages neither repeats nor drops an app.
struct AppListing {
    struct Entry: Sendable {
        let app: App
        let key: [SQLValue]
    }

    let pages: Listing<Entry>
    private let order: AppQuery.Order
    private let noteUnreadable: @Sendable (UnreadableRow) -> Void

    init(_ order: AppQuery.Order, at now: Timestamp, noteUnreadable: @escaping @Sendable (UnreadableRow) -> Void) {
        self.order = order
        self.noteUnreadable = noteUnreadable
        let start: [SQLValue] =
            switch order {
            case .id: [.text("")]
            case .name: [.text(""), .text("")]
            case .publishedAt: [SQLValue(now), .integer(.min), .text("")]
            }
        pages = Listing(name: order == .id ? "apps" : "apps-\(order)", start: start, key: \.key)
    }

    func read(behind key: [SQLValue], within scope: Scope, limit: Int, _ connection: any SQLConnection) throws(Failure) -> [Entry?] {
        let (condition, scopeValues) = scope.condition(on: "id")
        switch order {
        case .id:
            return try connection.readableRows(
                "SELECT \(App.columns) FROM apps WHERE id > ? AND \(condition) ORDER BY id LIMIT ?",
                key + scopeValues + [SQLValue(limit)], as: App.self, unreadable: note
            ).map { app in app.map { Entry(app: $0, key: [SQLValue($0.id)]) } }
        case .name:
            return try rows(
                by: "LOWER(COALESCE(name, id))", [], condition, scopeValues + key + [SQLValue(limit)], connection
            ).map { placed in placed.map { Entry(app: $0.app, key: [$0.place, SQLValue($0.app.id)]) } }
        case .publishedAt:
            let asOf = Array(key.prefix(1))
            return try rows(
                by: """
                    0 - COALESCE((SELECT r.published_at FROM revisions r WHERE r.app = apps.id AND r.published_at <= ?
                        ORDER BY r.number DESC LIMIT 1), 0)
                    """, asOf, condition, scopeValues + key.dropFirst() + [SQLValue(limit)], connection
            ).map { placed in placed.map { Entry(app: $0.app, key: asOf + [$0.place, SQLValue($0.app.id)]) } }
        }
    }

    /// - Parameter place: an SQL expression.
    private func rows(
        by place: String, _ placeValues: [SQLValue], _ condition: String, _ values: [SQLValue], _ connection: any SQLConnection
    ) throws(Failure) -> [PlacedApp?] {
        try connection.readableRows(
            """
            SELECT \(App.columns), place FROM (SELECT \(App.columns), \(place) AS place FROM apps WHERE \(condition)) placed
            WHERE (place, id) > (?, ?) ORDER BY place, id LIMIT ?
            """, placeValues + values, as: PlacedApp.self, unreadable: note)
    }

    private func note(_ failure: Failure) { noteUnreadable(UnreadableRow(of: "apps", failure)) }
}

/// An app with its sort key.
private struct PlacedApp: RowReadable {
    let app: App
    let place: SQLValue

    init(row: inout SQLRow) throws(Failure) {
        app = try row.read()
        guard let place = row.remainingValues().first else { throw .corrupt("An app in a list has no position.") }
        self.place = place
    }
}
