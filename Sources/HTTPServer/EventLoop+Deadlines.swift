import HTTP

extension EventLoop {
    /// Gives the connection so many nanoseconds from now for what it is to do next.
    @inline(__always)
    func wait(_ connection: Connection, for wait: Connection.Wait, _ timeout: UInt64) {
        connection.wait = wait
        deadlines.set(connection.slot, to: now &+ timeout)
    }

    /// The server's own time is not limited.
    func waitForNothing(_ connection: Connection) {
        connection.wait = .nothing
        deadlines.set(connection.slot, to: Deadlines.never)
    }

    func sweep() {
        now = Clock.monotonic()
        for slot in deadlines.expired(at: now) where slot < connections.count {
            if let connection = connections[slot] { expire(connection) }
        }
        if acceptsPaused { resumeAccepting() }
    }

    /// A client that has begun a request is told; one that has not, or does not read, is not.
    private func expire(_ connection: Connection) {
        switch connection.wait {
        case .head where !connection.held.isEmpty, .body:
            refuse(connection, .timeout, method: connection.parser?.head.method ?? .get)
            advance(connection)
        case .head, .idle, .write, .linger, .nothing:
            close(connection)
        }
    }
}
