import HTTP
import Synchronization

/// The listening sockets of one loop: takes connections from them, and leaves clients in the kernel's queue where there is no room.
struct Acceptor: ~Copyable {
    private var listeners: [ListeningSocket]
    private var isPaused = false
    private let configuration: HTTPServer.Configuration
    private let shared: ServerShare
    private let metrics: any ServerMetrics

    init(_ listeners: [ListeningSocket], _ configuration: HTTPServer.Configuration, shared: ServerShare, metrics: any ServerMetrics) {
        self.listeners = listeners
        self.configuration = configuration
        self.shared = shared
        self.metrics = metrics
    }

    /// Has the listening sockets watched.
    func open(over transport: borrowing Transport) throws(SystemError) {
        for listener in listeners { try transport.watch(listener.raw) }
    }

    /// Takes who knocks at the socket of that descriptor, if it is one of the listening ones.
    mutating func accept(at descriptor: Int32, over transport: inout Transport) {
        guard let listener = listeners.first(where: { $0.raw == descriptor }) else { return }
        accept(from: listener, over: &transport)
    }

    /// Takes 64 at most, so that those who are connected have their turn; while draining, all.
    private mutating func accept(from listener: ListeningSocket, over transport: inout Transport) {
        var budget = 64
        while budget > 0 || transport.isDraining {
            budget -= 1
            guard hasRoom else { return pause(over: &transport) }
            switch Socket.accept(listener.raw) {
            case .connection(let descriptor): open(descriptor, from: listener, over: &transport)
            case .none: return
            case .exhausted: return pause(over: &transport)
            }
        }
    }

    private var hasRoom: Bool { shared.openConnections.load(ordering: .relaxed) < shared.maxConnections }

    private func open(_ descriptor: consuming FileDescriptor, from listener: ListeningSocket, over transport: inout Transport) {
        var network: String?
        if let addresses = shared.addresses {
            guard let peer = Socket.peerAddress(descriptor.raw)?.network else { return }
            guard addresses.enter(peer) else { return turnAway(descriptor.raw, transport.output) }
            network = peer
        }
        guard !transport.open(descriptor, from: listener, network: network) else { return }
        network.map { shared.addresses?.leave($0) }
    }

    /// One more connection than its address may have is told so, as far as the kernel takes it at once, and closed.
    private func turnAway(_ raw: Int32, _ output: borrowing AnswerBuffer) {
        let id = configuration.newRequestID()
        let response = Response.refusing(
            .tooManyConnections, instance: id, about: Refusal.Subject(address: Socket.peerAddress(raw)?.host))
        _ = output.bytes(of: response, connection: .close).withUnsafeBytes { Socket.send(raw, $0) }
        metrics.requestFinished(
            RequestRecord(route: nil, method: nil, status: response.status, nanoseconds: 0, id: id, refusal: response.refusal))
    }

    /// At the ceiling, or with no descriptor left, clients wait in the kernel's queue. Tried again when a connection of this
    /// loop closes, and every 100 ms for those of the others.
    private mutating func pause(over transport: inout Transport) {
        if !isPaused {
            isPaused = true
            for listener in listeners { transport.ignore(listener.raw) }
        }
        transport.setAlarm(after: 100_000_000)
    }

    /// Goes on where it paused and there is room again.
    mutating func resume(over transport: inout Transport) {
        guard isPaused else { return }
        guard hasRoom else { return transport.setAlarm(after: 100_000_000) }
        isPaused = false
        for listener in listeners { try? transport.watch(listener.raw) }
    }

    /// Takes who already knocked, then listens no more.
    mutating func close(over transport: inout Transport) {
        for listener in listeners { accept(from: listener, over: &transport) }
        for listener in listeners { transport.ignore(listener.raw) }
        listeners = []
        isPaused = false
    }
}
