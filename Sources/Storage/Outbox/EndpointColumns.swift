import QuickActions
import Shortcuts

/// The columns that an owner reads and writes. The failure window and the hold belong to the delivery queue.
private let columns = """
    id, url, types, apps, description, headers, ordered, enabled, disabled_reason, disabled_at, created_at, secret,
    previous_secret, previous_secret_expires_at
    """

extension SQLConnection {
    /// The enabled and disabled endpoints whose filters match the event.
    func endpoints(wanting type: EventType, of app: AppID?, unreadable: (UnreadableRow) -> Void) throws(Failure) -> [Endpoint] {
        let (sql, values) = Endpoint.query(wanting: type, of: app)
        return Endpoint.subscribers(in: try rows(sql, values) { row throws(Failure) in row }, to: type, of: app, unreadable: unreadable)
    }

    func keyedEndpoints(_ ids: ValueList) throws(Failure) -> [Keyed<Endpoint>] {
        try rows("SELECT \(columns) FROM endpoints WHERE id IN \(ids.sql)", ids.values, as: Keyed<Endpoint>.self)
    }

    /// Nil for each endpoint that cannot be read.
    func readableEndpoints(
        where condition: String, _ values: [SQLValue], unreadable: (UnreadableRow) -> Void
    ) throws(Failure) -> [Endpoint?] {
        try readableRows("SELECT \(columns) FROM endpoints WHERE \(condition)", values, as: Endpoint.self) {
            unreadable(UnreadableRow(of: "endpoints", $0))
        }
    }

    func endpoint(_ id: EndpointID) throws(Failure) -> Endpoint? {
        try endpoints(where: "id = ?", [SQLValue(id)]).first
    }

    func requireEndpoint(_ id: EndpointID) throws(Failure) -> Endpoint {
        guard let endpoint = try endpoint(id) else { throw .unknownEndpoint(id) }
        return endpoint
    }

    func endpoints(where condition: String, _ values: [SQLValue]) throws(Failure) -> [Endpoint] {
        try rows("SELECT \(columns) FROM endpoints WHERE \(condition)", values, as: Endpoint.self)
    }

    /// Creates or replaces the endpoint without changing its failure window and its hold.
    func put(_ endpoint: Endpoint) throws(Failure) {
        try enqueue(
            """
            INSERT INTO endpoints (\(columns)) VALUES (\(placeholders(14)))
            ON CONFLICT (id) DO UPDATE SET url = excluded.url, types = excluded.types, apps = excluded.apps,
                description = excluded.description, headers = excluded.headers, ordered = excluded.ordered,
                enabled = excluded.enabled, disabled_reason = excluded.disabled_reason, disabled_at = excluded.disabled_at,
                secret = excluded.secret, previous_secret = excluded.previous_secret,
                previous_secret_expires_at = excluded.previous_secret_expires_at
            """, endpoint.values)
    }
}

extension Endpoint: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            id: try row.read(), url: try row.read(), types: try row.words(), apps: try row.words(), description: try row.read(),
            headers: try row.headers(), ordered: try row.read(), enabled: try row.read(), disabledReason: try row.read(),
            disabledAt: try row.read(), createdAt: try row.read(),
            secrets: SigningSecrets(current: try row.read(), previous: try row.read(), previousExpiresAt: try row.read()))
    }

    /// In the order of `columns`.
    var values: [SQLValue] {
        [
            SQLValue(id), SQLValue(url), SQLValue(words: types?.map(\.rawValue)), SQLValue(words: apps?.map(\.description)),
            SQLValue(description), .text(headers.map { "\($0.name): \($0.value)\n" }.joined()), SQLValue(ordered),
            SQLValue(enabled), SQLValue(disabledReason?.rawValue), SQLValue(disabledAt), SQLValue(createdAt),
            .text(secrets.current), SQLValue(secrets.previous), SQLValue(secrets.previousExpiresAt),
        ]
    }
}

extension SQLRow {
    /// The format is unambiguous: a name has no colon and a value no line break.
    fileprivate mutating func headers() throws(Failure) -> [Endpoint.Header] {
        var headers: [Endpoint.Header] = []
        for line in try text().split(separator: "\n") {
            guard let colon = line.firstRange(of: ": ") else {
                // Not quoted: the line may be a credential.
                throw .corrupt("A header field of an endpoint has no name.")
            }
            headers.append(
                Endpoint.Header(name: String(line[..<colon.lowerBound]), value: String(line[colon.upperBound...])))
        }
        return headers
    }
}

extension Endpoint {
    /// Rows for `subscribers`. `LIKE` cheaply excludes most of the others. It may also match a part of a name.
    static func query(wanting type: EventType, of app: AppID?) -> SQLQuery {
        (
            // If a pattern is a bare parameter, SQLite prepares the statement again for each value (its LIKE optimization).
            """
            SELECT \(columns) FROM endpoints
            WHERE (types IS NULL OR types LIKE '%' || ? || '%') AND (apps IS NULL OR apps LIKE '%' || ? || '%')
            """, [.text(type.rawValue), .text(app?.description ?? "")]
        )
    }

    static func subscribers(
        in rows: [SQLRow], to type: EventType, of app: AppID?, unreadable: (UnreadableRow) -> Void
    ) -> [Endpoint] {
        rows.compactMap { row in row.readable(as: Endpoint.self) { unreadable(UnreadableRow(of: "endpoints", $0)) } }
            .filter { $0.subscribes(to: type, of: app) }
    }
}
