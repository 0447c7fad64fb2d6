import HTTP
import Synchronization

/// The listening sockets of one loop. It accepts connections. At the limit it pauses, and clients wait in the kernel's accept queue.
struct Acceptor: ~Copyable {
    private var listeners: [Listener]
    private var isPaused = false
    private var configuration: HTTPServer.Configuration
    private let shared: SharedState
    private let metrics: any ServerMetrics

    init(_ listeners: [Listener], _ configuration: HTTPServer.Configuration, shared: SharedState, metrics: any ServerMetrics) {
        self.listeners = listeners
        self.configuration = configuration
        self.shared = shared
        self.metrics = metrics
    }

    mutating func trust(_ proxies: TrustedProxies) { configuration.proxies = proxies }

    /// Adds the listening sockets to the epoll set.
    func open(over transport: borrowing Transport) throws(SystemError) {
        for listener in listeners { try transport.watch(listener.raw) }
    }

    /// Accepts from the listening socket with that descriptor. Ignores other descriptors.
    mutating func accept(at descriptor: Int32, over transport: inout Transport) {
        guard let listener = listeners.first(where: { $0.raw == descriptor }) else { return }
        accept(from: listener, over: &transport)
    }

    /// Accepts at most 64 connections per turn, so that open connections are served, too. While draining, accepts all queued connections.
    private mutating func accept(from listener: Listener, over transport: inout Transport) {
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

    private func open(_ descriptor: consuming FileDescriptor, from listener: Listener, over transport: inout Transport) {
        var network: String?
        if let addresses = shared.addresses {
            guard let peer = Socket.peerAddress(descriptor.raw) else { return }
            if !configuration.proxies.contains(peer.host) {
                guard addresses.acquire(peer.network) else { return refuse(descriptor.raw, transport.output) }
                network = peer.network
            }
        }
        guard !transport.open(descriptor, from: listener, network: network) else { return }
        network.map { shared.addresses?.release($0) }
    }

    /// Answers 429 to a connection above its address's limit, as far as the socket takes the bytes at once. The caller closes it.
    private func refuse(_ raw: Int32, _ output: borrowing AnswerBuffer) {
        let id = configuration.newRequestID()
        let response = Response.refusing(
            .tooManyConnections, instance: id, about: Refusal.Subject(address: Socket.peerAddress(raw)?.host))
        _ = output.bytes(of: response, id: id, connection: .close).withUnsafeBytes { Socket.send(raw, $0) }
        metrics.requestFinished(
            RequestRecord(
                route: nil, method: nil, status: response.status, nanoseconds: 0, id: id, isFromCache: false,
                refusal: response.refusal))
    }

    /// Stops accepting at the limit, or when the process has no descriptor left (EMFILE). It tries again when a connection of this loop
    /// closes, and every 100 ms, because a connection of another loop may have closed.
    private mutating func pause(over transport: inout Transport) {
        if !isPaused {
            isPaused = true
            for listener in listeners { transport.unwatch(listener.raw) }
        }
        transport.setTimer(after: 100_000_000)
    }

    /// Accepts again after a pause, if the number of connections is below the limit.
    mutating func resume(over transport: inout Transport) {
        guard isPaused else { return }
        guard hasRoom else { return transport.setTimer(after: 100_000_000) }
        isPaused = false
        for listener in listeners { try? transport.watch(listener.raw) }
    }

    /// Accepts the queued connections, then closes the listening sockets.
    mutating func close(over transport: inout Transport) {
        for listener in listeners { accept(from: listener, over: &transport) }
        for listener in listeners { transport.unwatch(listener.raw) }
        listeners = []
        isPaused = false
    }
}

/// A bound socket that listens. Closed with its last reference.
final class ListeningSocket: Sendable {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    var raw: Int32 { descriptor.raw }
}

/// A listening socket of one loop, with the handler of its connections.
final class Listener {
    private let socket: ListeningSocket
    let handler: any Handler
    /// The loop's own cache of the handler's answers.
    let cache: (any AnswerCache)?

    init(_ socket: ListeningSocket, _ handler: any Handler) {
        self.socket = socket
        self.handler = handler
        cache = handler.makeCache()
    }

    var raw: Int32 { socket.raw }
}
