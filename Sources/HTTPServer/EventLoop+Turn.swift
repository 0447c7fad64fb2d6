import HTTP

/// A connection's turn: write, answer, read, until one of them has to wait.
extension EventLoop {
    func advance(_ connection: Connection) {
        var reads = 0
        while flush(connection) {
            switch connection.phase {
            case .working, .closing: return
            case .lingering, .head, .body: break
            }
            if connection.mayParse {
                useHeld(connection)
                continue
            }
            guard connection.mayRead else { return rest(connection) }
            guard reads < 16 else { return unfinished.append(connection) }
            reads += 1
            guard read(connection) else { return close(connection) }
        }
    }

    /// Nothing to do until the client does something.
    private func rest(_ connection: Connection) {
        if isDraining, connection.phase == .head, connection.held.isEmpty { close(connection) }
    }

    /// Reads once and uses what came; false at the end.
    private func read(_ connection: Connection) -> Bool {
        let buffer = input.storage
        switch Socket.read(connection.descriptor.raw, into: buffer) {
        case .bytes(0), .failed:
            return false
        case .wouldBlock:
            connection.mayRead = false
        case .bytes(let count):
            // After a short read there is nothing left; more of it is a new event. Only the end is told with the last bytes.
            connection.mayRead = count == buffer.count || connection.hasEnded
            guard connection.phase != .lingering else { return true }
            let bytes = UnsafeBufferPointer(rebasing: buffer[..<count])
            if connection.held.isEmpty {
                let used = consume(bytes.span, for: connection)
                if used < count { connection.held = Array(bytes[used...]) }
            } else {
                connection.held.append(contentsOf: bytes)
                useHeld(connection)
            }
        }
        return true
    }

    private func useHeld(_ connection: Connection) {
        var held: [UInt8] = []
        swap(&held, &connection.held)
        let used = consume(held.span, for: connection)
        if used == 0 {
            connection.held = held
        } else if used < held.count {
            connection.held = Array(held[used...])
        }
    }

    /// Sends what there is; true where all is sent and the connection is open.
    private func flush(_ connection: Connection) -> Bool {
        if !output.isEmpty {
            guard flushOutput(connection) else { return false }
        }
        if !connection.output.isEmpty {
            guard connection.mayWrite else { return waitToWrite(connection) }
            switch connection.output.send(to: connection.descriptor.raw) {
            case .failed:
                close(connection)
                return false
            case .wouldBlock:
                connection.mayWrite = false
                return waitToWrite(connection)
            case .bytes:
                guard connection.output.isEmpty else {
                    connection.mayWrite = false
                    wait(connection, for: .write, timeouts.write)
                    return false
                }
                waitAfterOutput(connection)
            }
        }
        guard connection.phase == .closing else { return !connection.isClosed }
        end(connection)
        return !connection.isClosed
    }

    /// Sends the loop's buffer; false where the connection broke. What the kernel does not take is kept with the connection.
    private func flushOutput(_ connection: Connection) -> Bool {
        defer { output.removeAll(keepingCapacity: true) }
        guard connection.output.isEmpty, connection.mayWrite else {
            connection.output.append(output[...])
            return true
        }
        var sent = 0
        while sent < output.count {
            switch output.withUnsafeBytes({ Socket.send(connection.descriptor.raw, UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
            case .bytes(let count):
                sent &+= count
            case .failed:
                close(connection)
                return false
            case .wouldBlock:
                connection.mayWrite = false
                connection.output.append(Array(output[sent...])[...])
                wait(connection, for: .write, timeouts.write)
                return true
            }
        }
        return true
    }

    /// The time without progress is not begun anew.
    private func waitToWrite(_ connection: Connection) -> Bool {
        if connection.wait != .write { wait(connection, for: .write, timeouts.write) }
        return false
    }

    private func waitAfterOutput(_ connection: Connection) {
        switch connection.phase {
        case .head where connection.held.isEmpty: wait(connection, for: .idle, timeouts.idle)
        case .head: wait(connection, for: .head, timeouts.head)
        case .body: wait(connection, for: .body, timeouts.body)
        case .working: waitForNothing(connection)
        case .closing, .lingering: break
        }
    }

    /// The last answer is sent. Closing with input unread would reset the connection, and the client might never see the
    /// answer (RFC 9112 9.6).
    private func end(_ connection: Connection) {
        guard connection.lingers || connection.mayRead else { return close(connection) }
        Socket.endSending(connection.descriptor.raw)
        connection.phase = .lingering
        connection.held = []
        connection.mayParse = false
        connection.mayRead = true
        wait(connection, for: .linger, timeouts.linger)
    }
}
