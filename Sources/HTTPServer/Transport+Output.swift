/// From answers to the socket.
extension Transport {
    /// Bodies up to this size are copied behind their head, so that both go in one write; larger ones are shared.
    private static let copyBound = 32 << 10

    /// Appends a body behind its head in `output`.
    @inline(__always)
    mutating func append(_ body: ArraySlice<UInt8>, to connection: Connection) {
        if body.count <= Self.copyBound {
            output.append(body: body)
        } else {
            connection.keep(output.take())
            connection.keep(body)
            wait(connection, for: .write)
        }
    }

    /// Sends what there is; true where all is sent and the connection is open.
    mutating func flush(_ connection: Connection) -> Bool {
        if !output.isEmpty {
            guard flushOutput(connection) else { return false }
        }
        if connection.hasPending {
            guard flushPending(connection) else { return false }
        }
        if connection.phase == .closing { end(connection) }
        return !connection.isClosed
    }

    /// Sends the loop's buffer; false where the connection broke. What the kernel does not take is kept with the connection.
    private mutating func flushOutput(_ connection: Connection) -> Bool {
        guard !connection.hasPending, connection.mayWrite else {
            connection.keep(output.take())
            return true
        }
        switch output.send(to: connection.descriptor.raw) {
        case .all:
            return true
        case .allBut(let rest):
            connection.mayWrite = false
            connection.keep(rest)
            wait(connection, for: .write)
            return true
        case .failed:
            close(connection)
            return false
        }
    }

    /// Sends what is kept with the connection; false where some of it is left or the connection broke.
    private mutating func flushPending(_ connection: Connection) -> Bool {
        guard connection.mayWrite else { return waitToWrite(connection) }
        switch connection.sendPending() {
        case .failed:
            close(connection)
            return false
        case .wouldBlock:
            connection.mayWrite = false
            return waitToWrite(connection)
        case .bytes:
            guard !connection.hasPending else {
                connection.mayWrite = false
                wait(connection, for: .write)
                return false
            }
            waitAfterOutput(connection)
            return true
        }
    }

    /// The time without progress is not begun anew.
    private mutating func waitToWrite(_ connection: Connection) -> Bool {
        if connection.wait != .write { wait(connection, for: .write) }
        return false
    }

    private mutating func waitAfterOutput(_ connection: Connection) {
        switch connection.phase {
        case .head: wait(connection, for: connection.held.isEmpty ? .idle : .head)
        case .body: wait(connection, for: .body)
        case .working: wait(connection, for: .nothing)
        case .closing, .lingering: break
        }
    }

    /// The last answer is sent. Closing with input unread would reset the connection, and the client might never see the
    /// answer (RFC 9112 9.6).
    private mutating func end(_ connection: Connection) {
        guard connection.lingers || connection.mayRead else { return close(connection) }
        Socket.endSending(connection.descriptor.raw)
        connection.phase = .lingering
        connection.held = []
        connection.mayParse = false
        connection.mayRead = true
        wait(connection, for: .linger)
    }
}
