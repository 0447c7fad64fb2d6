import QuickActions
import Shortcuts

extension Store: PreviewLinkStore {
    private static let listing = Listing<PreviewLink>(name: "previews", start: [.integer(.min), .text("")]) {
        [SQLValue($0.createdAt), SQLValue($0.id)]
    }

    package func previewLink(_ id: PreviewLinkID, of app: AppID) throws(Failure) -> (link: PreviewLink, token: Token?)? {
        let found = try database.read { connection throws(Failure) in
            try connection.first(
                """
                SELECT \(PreviewLink.columns(of: "p")), \(Token.columns(of: "t"))
                FROM preview_links p LEFT JOIN tokens t ON t.id = p.token WHERE p.id = ? AND p.app = ?
                """, [SQLValue(id), SQLValue(app)], as: PreviewLinkRow.self)
        }
        return found.map { ($0.link, $0.token) }
    }

    package func previewLinks(of app: AppID, at now: Timestamp, _ page: PageRequest) throws(Failure) -> Page<PreviewLink> {
        func read(_ key: [SQLValue], _ limit: Int) throws(Failure) -> [PreviewLink?] {
            try database.read { connection throws(Failure) in
                try readable(
                    "preview_links",
                    """
                    SELECT \(PreviewLink.columns(of: "p")) FROM preview_links p WHERE app = ? AND expires_at > ?
                    AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?
                    """, [SQLValue(app), SQLValue(now)] + key + [SQLValue(limit)], as: PreviewLink.self, on: connection)
            }
        }
        return try Self.listing.page(page, read: read)
    }

    package func createPreviewLink(_ link: PreviewLink, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            let connection = transaction.connection
            _ = try transaction.requireApp(link.app)
            try connection.requireToken(of: link.creator)
            let count = try connection.first(
                "SELECT COUNT(*) FROM preview_links WHERE app = ? AND expires_at > ?", [SQLValue(link.app), SQLValue(author.at)],
                as: Int.self)
            guard count ?? 0 < PreviewLink.limit else {
                throw Failure(
                    .quotaExceeded,
                    "The app \(quoted(link.app.description)) has \(PreviewLink.limit) previews, which is the limit. Delete one, or wait until "
                        + "one ends. Nothing was written.")
            }
            try connection.insert(link)
            try transaction.log(link, .previewCreated, AuditDetail(from: nil, to: link.settings), by: author)
        }
    }

    package func deletePreviewLink(_ id: PreviewLinkID, of app: AppID, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            let connection = transaction.connection
            guard
                let link = try connection.first(
                    "SELECT \(PreviewLink.columns(of: "p")) FROM preview_links p WHERE id = ? AND app = ? AND expires_at > ?",
                    [SQLValue(id), SQLValue(app), SQLValue(author.at)], as: PreviewLink.self)
            else { throw .unknownPreviewLink(id, of: app) }
            try connection.enqueue("DELETE FROM preview_links WHERE id = ?", [SQLValue(id)])
            try transaction.log(link, .previewDeleted, AuditDetail(from: link.settings, to: nil), by: author)
        }
    }
}

extension Transaction {
    fileprivate mutating func log(
        _ link: PreviewLink, _ action: AuditEntry.Action, _ detail: AuditDetail, by author: Author
    ) throws(Failure) {
        try log(
            AuditEntry(
                author: author, action: action, app: link.app, version: link.version.map { AppBuild($0) }, audience: link.audience,
                target: .preview(link), detail: detail))
    }
}

extension SQLConnection {
    fileprivate func insert(_ link: PreviewLink) throws(Failure) {
        let (token, configured) = link.creator.columns
        try enqueue(
            """
            INSERT INTO preview_links (id, app, version, audience, hash, token, configured, person, created_by, created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                SQLValue(link.id), SQLValue(link.app), SQLValue(link.version), SQLValue(link.audience), .blob(link.hash), token, configured,
                link.creator.person, .text(link.createdBy), SQLValue(link.createdAt), SQLValue(link.expiresAt),
            ])
    }

    /// - Returns: the number of removed links.
    func removePreviewLinks(expiredAt now: Timestamp, limit: Int) throws(Failure) -> Int {
        try execute(
            "DELETE FROM preview_links WHERE id IN (SELECT id FROM preview_links WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
            [SQLValue(now), SQLValue(limit)])
    }
}

extension PreviewLink: RowReadable {
    fileprivate static func columns(of table: String) -> String {
        ["id", "app", "version", "audience", "hash", "token", "configured", "person", "created_by", "created_at", "expires_at"]
            .map { "\(table).\($0)" }.joined(separator: ", ")
    }

    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            id: try row.read(), app: try row.read(), version: try row.read(), audience: try row.read(), hash: try row.read(),
            creator: try row.read(), createdBy: try row.read(), createdAt: try row.read(), expiresAt: try row.read())
    }
}

/// A link with its creator's token.
private struct PreviewLinkRow: RowReadable {
    let link: PreviewLink
    /// Nil if the configured token or a person created the link.
    let token: Token?

    init(row: inout SQLRow) throws(Failure) {
        link = try row.read()
        token = if case .token = link.creator { try row.read() } else { nil }
    }
}
