import Shortcuts
import Storage

/// Commits of other nodes: the listener follows them, and `catchUp` is for callers that must not wait for the listener.
extension PostgresDatabase {
    package func observeExternalCommits(_ observer: @escaping @Sendable (ExternalCommits) -> Void) {
        log.observe(observer)
    }

    package func checkForExternalCommits() throws(Failure) {
        if !freshness.isConfirmed { try catchUp(isComplete: false) }
    }

    package func catchUp() throws(Failure) {
        try catchUp(isComplete: true)
    }

    private func catchUp(isComplete: Bool) throws(Failure) {
        try catchingUp.run(isComplete: isComplete) { [self] () throws(Failure) in
            let sent = ContinuousClock.now
            let reading = try read(within: limits.catchUp) { connection throws(Failure) in
                try connection.changes(after: log.known)
            }
            log.deliver(reading)
            log.waitForObservers()
            freshness.confirm(at: sent, for: configuration.poll)
        }
    }

    package func changesBehind() throws(Failure) -> Int64 {
        let last = try read { connection throws(Failure) in
            try connection.first("SELECT last FROM change_counter WHERE id = 1", [], as: Int64.self)
        }
        return max(0, (last ?? 0) - log.known)
    }

    package var statistics: DatabaseStatistics? {
        var statistics = DatabaseStatistics()
        let counts = pool.counts
        statistics.connections = [.busy: counts.busy, .idle: counts.idle]
        statistics.reconnects = counts.replaced
        guard let heard = listener.withLock({ $0 })?.statistics else { return statistics }
        statistics.connections[.listening] = heard.isConnected ? 1 : 0
        statistics.reconnects += max(0, heard.reconnects)
        statistics.notifications = heard.notifications
        statistics.changeLag = heard.confirmedAt.map { $0.duration(to: .now) } ?? .zero
        return statistics
    }

    /// The target of the listening connection, and whether it can use LISTEN.
    var listeningTarget: (ConnectionTarget, ConnectionTarget.Purpose, listens: Bool) {
        switch configuration.listening {
        case .sameServer: (target, .listening, true)
        case .server(let uri): (ConnectionTarget(uri: uri), .listening, true)
        case .pollOnly: (target, .polling, false)
        }
    }

    /// Marks all commits up to now as delivered, because nothing is cached yet. Called after the last migration.
    func startChangeLog() throws(Failure) {
        let last = try read { connection throws(Failure) in
            try connection.first("SELECT last FROM change_counter WHERE id = 1", [], as: Int64.self)
        }
        log.start(after: last ?? 0)
    }

    /// Starts to listen, after `startChangeLog`.
    func listen() {
        let listener = ChangeListener(of: self)
        self.listener.withLock { $0 = listener }
        listener.start()
    }

    /// Ends the listening thread and closes the connections.
    package func close() {
        listener.withLock { listener in
            listener?.stop()
            listener = nil
        }
        pool.close()
    }
}
