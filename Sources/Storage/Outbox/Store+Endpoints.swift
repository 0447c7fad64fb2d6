import QuickActions
import Shortcuts

extension Store {
    private static let listing = Listing<Endpoint>(name: "endpoints", start: [.integer(.min), .text("")]) {
        [SQLValue($0.createdAt), SQLValue($0.id)]
    }

    package func endpoints(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<Endpoint> {
        func read(_ key: [SQLValue], _ limit: Int) throws(Failure) -> [Endpoint?] {
            try database.read { connection throws(Failure) in
                try connection.readableEndpoints(
                    where: "(created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?", key + [SQLValue(limit)],
                    unreadable: configuration.noteUnreadable)
            }
        }
        return try Self.listing.page(page, read: read) { scope.covers($0.scope) }
    }

    package func endpoint(_ id: EndpointID) throws(Failure) -> Endpoint? {
        try database.read { connection throws(Failure) in try connection.endpoint(id) }
    }

    package func blockingDeliveries(of endpoints: [Endpoint]) throws(Failure) -> [EndpointID: BlockingDelivery] {
        let ordered = endpoints.filter(\.ordered).map(\.id)
        guard !ordered.isEmpty else { return [:] }
        return try database.read { connection throws(Failure) in
            var found: [EndpointID: BlockingDelivery] = [:]
            for endpoint in ordered { found[endpoint] = try connection.blockingDelivery(of: endpoint) }
            return found
        }
    }

    package func createEndpoint(_ endpoint: Endpoint, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            try transaction.connection.put(try sealed(endpoint, transaction.connection))
            try transaction.log(
                AuditEntry(author: author, action: .webhookCreated, target: .webhook(endpoint), detail: .settings(from: nil, to: endpoint)))
        }
    }

    package func updateEndpoint(
        _ id: EndpointID, isEnabling: Bool, isRecovering: Bool = false, by author: Author, change: (Endpoint) throws(Failure) -> Endpoint
    ) throws(Failure) -> Endpoint {
        try write { transaction throws(Failure) in
            let previous = try transaction.connection.requireEndpoint(id)
            let endpoint = try change(previous)
            try transaction.connection.put(try sealed(endpoint, transaction.connection))
            try transaction.connection.cancelUnwanted(by: endpoint)
            // Deliveries that are recovered while the endpoint is disabled wait until it is enabled.
            if previous.enabled, !endpoint.enabled {
                try transaction.connection.holdPending(for: id)
                transaction.effects.notices.append(.endpointDisabled(id, endpoint.disabledReason ?? .operator, by: author))
                try transaction.announceDisabling(of: endpoint, by: author)
            }
            if endpoint.enabled, isEnabling {
                try transaction.connection.clearFailures(of: id)
                transaction.effects.hasQueuedDeliveries = true
            }
            if isRecovering { _ = try transaction.recover(id, since: nil, at: author.at) }
            transaction.effects.changedEndpoints.insert(id)
            try transaction.log(
                AuditEntry(
                    author: author, action: .webhookUpdated, target: .webhook(endpoint), detail: .settings(from: previous, to: endpoint)))
            return endpoint
        }
    }

    package func deleteEndpoint(_ id: EndpointID, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            try transaction.connection.lock(id)
            try transaction.connection.lockLeased(of: id)
            let endpoint = try transaction.connection.requireEndpoint(id)
            try transaction.connection.enqueue("DELETE FROM endpoints WHERE id = ?", [SQLValue(id)])
            transaction.effects.changedEndpoints.insert(id)
            try transaction.log(
                AuditEntry(author: author, action: .webhookDeleted, target: .webhook(endpoint), detail: .settings(from: endpoint, to: nil)))
        }
    }

    package func ping(_ id: EndpointID, by author: Author) throws(Failure) -> DeliveryID {
        try write { transaction throws(Failure) in
            let endpoint = try transaction.connection.requireEndpoint(id)
            let event = transaction.announcer.ping(endpoint, by: author)
            try transaction.insert(event)
            let delivery = try transaction.queue(event, for: endpoint)
            try transaction.log(AuditEntry(author: author, action: .webhookPinged, target: .webhook(endpoint)))
            return delivery
        }
    }
}

extension SQLConnection {
    /// The endpoint's oldest delivery that is held or pending. Nil unless it is held or has failed.
    fileprivate func blockingDelivery(of endpoint: EndpointID) throws(Failure) -> BlockingDelivery? {
        try first(
            """
            SELECT id, state, next_attempt_at FROM deliveries WHERE (state = 'held' OR attempts_made > 0) AND sequence =
                (SELECT MIN(oldest) FROM (SELECT MIN(sequence) AS oldest FROM deliveries WHERE endpoint = ? AND state = 'held'
                    UNION ALL SELECT MIN(sequence) FROM deliveries WHERE endpoint = ? AND state = 'pending') AS oldest_by_state)
            """, [SQLValue(endpoint), SQLValue(endpoint)], as: BlockingDelivery.self)
    }

    /// Locks the endpoint. Call it before locking the endpoint's deliveries.
    fileprivate func lock(_ endpoint: EndpointID) throws(Failure) {
        let lock = locking(.waiting)
        guard !lock.isEmpty else { return }
        _ = try rows("SELECT id FROM endpoints WHERE id = ?\(lock)", [SQLValue(endpoint)], as: EndpointID.self)
    }

    /// Holds the pending deliveries. A leased one keeps its lease, so that its outcome is still recorded.
    func holdPending(for endpoint: EndpointID) throws(Failure) {
        try lockLeased(of: endpoint)
        try enqueue(
            "UPDATE deliveries SET state = 'held', next_attempt_at = NULL WHERE endpoint = ? AND state = 'pending'",
            [SQLValue(endpoint)])
    }

    /// Cancels deliveries that no longer match the filters. Pings are sent whatever the filters are.
    fileprivate func cancelUnwanted(by endpoint: Endpoint) throws(Failure) {
        let types = endpoint.types.map { $0.map { SQLValue.text($0.rawValue) } }
        let apps = endpoint.apps.map { $0.map { SQLValue($0) } }
        let unwanted = [types.map { excludes("e.type", $0) }, apps.map { excludes("e.app", $0) }].compactMap { $0 }
        guard !unwanted.isEmpty else { return }
        try lockLeased(of: endpoint.id)
        try enqueue(
            """
            UPDATE deliveries SET state = 'cancelled', next_attempt_at = NULL, quarantined_at = NULL
            WHERE endpoint = ? AND state IN ('pending', 'held') AND EXISTS
                (SELECT 1 FROM events e WHERE e.id = deliveries.event AND e.type <> ?
                 AND (\(unwanted.joined(separator: " OR "))))
            """,
            [SQLValue(endpoint.id), .text(EventType.ping.rawValue)] + (types ?? []) + (apps ?? []))
    }

    private func excludes(_ column: String, _ values: [SQLValue]) -> String {
        values.isEmpty ? "1 = 1" : "\(column) NOT IN (\(placeholders(values.count)))"
    }

    fileprivate func clearFailures(of endpoint: EndpointID) throws(Failure) {
        try enqueue("UPDATE endpoints SET failing_since = NULL, hold_until = NULL WHERE id = ?", [SQLValue(endpoint)])
    }
}

extension Transaction {
    /// Notifies the other endpoints whose filters include all apps of this one.
    mutating func announceDisabling(of endpoint: Endpoint, by author: Author) throws(Failure) {
        let event = announcer.webhookDisabled(endpoint, by: author)
        let others = try connection.readableEndpoints(
            where: "enabled = 1 AND id <> ?", [SQLValue(endpoint.id)], unreadable: noteUnreadable
        ).compactMap { $0 }.filter { $0.scope.covers(endpoint.scope) && $0.types?.contains(event.type) ?? true }
        guard !others.isEmpty else { return }
        try insert(event)
        for other in others { try queue(event, for: other) }
    }
}

extension BlockingDelivery: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(id: try row.read(), state: try row.read(), nextAttemptAt: try row.read())
    }
}
