import HTTP
import Synchronization

/// Connections come and go.
extension EventLoop {
    func accept(from listener: ListeningSocket) {
        var budget = 64
        while budget > 0 || isDraining {
            budget -= 1
            guard shared.openConnections.load(ordering: .relaxed) < shared.maxConnections else { return pauseAccepting() }
            switch Socket.accept(listener.raw) {
            case .connection(let descriptor): open(descriptor, from: listener)
            case .none: return
            case .exhausted: return pauseAccepting()
            }
        }
    }

    private func open(_ descriptor: consuming FileDescriptor, from listener: ListeningSocket) {
        var network: String?
        if let addresses = shared.addresses {
            guard let peer = Socket.peerAddress(descriptor.raw)?.network else { return }
            guard addresses.enter(peer) else { return turnAway(descriptor.raw) }
            network = peer
        }
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        let connection = Connection(
            descriptor, serial: lastSerial, handler: listener.handler, memory: listener.memory, network: network)
        let events: Epoll.Events = [.readable, .writable, .ended, .edge]
        guard (try? epoll.add(connection.descriptor.raw, events, token: connection.token)) != nil else {
            network.map { shared.addresses?.leave($0) }
            return
        }
        let slot = connection.slot
        if slot >= connections.count {
            connections.append(contentsOf: repeatElement(nil, count: slot - connections.count + 1))
        }
        connections[slot] = connection
        connectionCount += 1
        shared.openConnections.add(1, ordering: .relaxed)
        metrics.connectionOpened()
        wait(connection, for: .head, timeouts.head)
    }

    /// One more connection than its address may have is told so, as far as the kernel takes it at once, and closed.
    private func turnAway(_ raw: Int32) {
        let id = makeRequestID()
        let response = Response.refusing(
            .tooManyConnections, instance: id, about: Refusal.Subject(address: Socket.peerAddress(raw)?.host))
        var bytes: [UInt8] = []
        ResponseEncoder.appendHead(of: response, date: date.bytes, connection: .close, to: &bytes)
        _ = (bytes + response.body).withUnsafeBytes { Socket.send(raw, $0) }
        metrics.requestFinished(
            RequestRecord(
                route: nil, method: nil, status: response.status, nanoseconds: 0, id: id, refusal: response.refusal))
    }

    func close(_ connection: Connection) {
        guard !connection.isClosed else { return }
        connection.isClosed = true
        deadlines.set(connection.slot, to: Deadlines.never)
        epoll.remove(connection.descriptor.raw)
        connections[connection.slot] = nil
        connectionCount -= 1
        shared.openConnections.subtract(1, ordering: .relaxed)
        connection.network.map { shared.addresses?.leave($0) }
        metrics.connectionClosed()
        if acceptsPaused { resumeAccepting() }
        if isDraining { finish() }
    }

    /// At the ceiling, or with no descriptor left, clients wait in the kernel's queue. Tried again when a connection of this
    /// loop closes, and every 100 ms for those of the others.
    private func pauseAccepting() {
        if !acceptsPaused {
            acceptsPaused = true
            for listener in listeners { epoll.remove(listener.raw) }
        }
        deadlines.setAlarm(now &+ 100_000_000)
    }

    func resumeAccepting() {
        guard shared.openConnections.load(ordering: .relaxed) < shared.maxConnections else {
            return deadlines.setAlarm(now &+ 100_000_000)
        }
        acceptsPaused = false
        for listener in listeners {
            try? epoll.add(listener.raw, .readable, token: Self.token(listener.raw))
        }
    }

    /// Takes who already knocked, shuts the door, closes what is idle. What has begun is answered.
    func drain() {
        guard !isDraining else { return }
        isDraining = true
        for listener in listeners { accept(from: listener) }
        for listener in listeners { epoll.remove(listener.raw) }
        listeners = []
        acceptsPaused = false
        for connection in connections {
            guard let connection else { continue }
            connection.mayRead = true
            advance(connection)
        }
        finish()
    }
}
