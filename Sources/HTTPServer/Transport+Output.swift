/// Output: from encoded answers to the socket.
extension Transport {
    /// Bodies up to this size are copied after their head, so that one `send` takes both. Larger bodies are queued without a copy.
    private static let copyBound = 32 << 10

    /// Appends a body behind its head in `output`.
    @inline(__always)
    mutating func append(_ body: ArraySlice<UInt8>, to connection: Connection) {
        if body.count <= Self.copyBound {
            output.append(body: body)
        } else {
            connection.enqueue(output.take())
            connection.enqueue(body)
            startTimeout(of: connection, for: .write)
        }
    }

    /// Sends a part of a stream, as much as the socket takes, and queues the rest, up to `Streaming.bufferLimit`. Does not change `output`.
    mutating func send(_ bytes: ArraySlice<UInt8>, to connection: Connection) {
        guard connection.hasPending else {
            switch bytes.withUnsafeBytes({ Socket.send(connection.descriptor.raw, $0) }) {
            case .bytes(let count) where count >= bytes.count: return
            case .bytes(let count): connection.enqueue(bytes.dropFirst(count))
            case .wouldBlock: connection.enqueue(bytes)
            case .failed: return close(connection)
            }
            connection.isWritable = false
            return startTimeout(of: connection, for: .write)
        }
        guard connection.pendingBytes + bytes.count <= Streaming.bufferLimit else { return close(connection, .slow) }
        connection.enqueue(bytes)
    }

    /// Sends all output of the connection.
    /// - Returns: true if all is sent and the connection is open.
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

    /// Sends the loop's buffer. Queues the rest with the connection. False if the connection failed.
    private mutating func flushOutput(_ connection: Connection) -> Bool {
        guard !connection.hasPending, connection.isWritable else {
            connection.enqueue(output.take())
            return true
        }
        switch output.send(to: connection.descriptor.raw) {
        case .all:
            return true
        case .partial(let rest):
            connection.isWritable = false
            connection.enqueue(rest)
            startTimeout(of: connection, for: .write)
            return true
        case .failed:
            close(connection)
            return false
        }
    }

    /// Sends the connection's queue. False if some of it is left or the connection failed.
    private mutating func flushPending(_ connection: Connection) -> Bool {
        guard connection.isWritable else { return startWriteTimeout(connection) }
        switch connection.sendPending() {
        case .failed:
            close(connection)
            return false
        case .wouldBlock:
            connection.isWritable = false
            return startWriteTimeout(connection)
        case .bytes:
            guard !connection.hasPending else {
                connection.isWritable = false
                startTimeout(of: connection, for: .write)
                return false
            }
            startTimeoutAfterOutput(connection)
            return true
        }
    }

    /// Starts the write timeout unless it is running: it measures the time without progress.
    private mutating func startWriteTimeout(_ connection: Connection) -> Bool {
        if connection.timeout != .write { startTimeout(of: connection, for: .write) }
        return false
    }

    private mutating func startTimeoutAfterOutput(_ connection: Connection) {
        switch connection.phase {
        case .head: startTimeout(of: connection, for: connection.buffered.isEmpty ? .idle : .head)
        case .body: startTimeout(of: connection, for: .body)
        case .working: startTimeout(of: connection, for: .none)
        case .streaming: startTimeout(of: connection, for: .stream)
        case .closing, .lingering: break
        }
    }

    /// Closes the sending side after the last answer. Closing both sides while input is unread would reset the connection, and the client
    /// might never read the answer (RFC 9112 9.6).
    private mutating func end(_ connection: Connection) {
        guard connection.lingers || connection.isReadable else { return close(connection) }
        Socket.shutdownWrite(connection.descriptor.raw)
        connection.phase = .lingering
        connection.buffered = []
        connection.hasUnparsedInput = false
        connection.isReadable = true
        startTimeout(of: connection, for: .linger)
    }
}
