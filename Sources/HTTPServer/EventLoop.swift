import Dispatch
import HTTP
import Threads

/// Serves the connections of one epoll set, on one serial queue: the shell that runs a `LoopState`.
///
/// Dispatch watches the set itself; the handler takes what is ready until nothing has been for a while. It is woken rarely
/// under load and costs no system call for each connection. Any thread may post to `mailbox`; everything else happens on the queue.
final class EventLoop: @unchecked Sendable {  // `state` and `source` belong to `queue`, `source` from `start` on
    let mailbox: Mailbox
    private let queue: DispatchQueue
    private let loops: DispatchGroup
    private let epoll: Int32
    /// Exclusivity is checked where `serve` takes it, once for all that is ready, and statically within.
    private var state: LoopState
    private var source: (any DispatchSourceRead)?

    init(
        label: String, configuration: HTTPServer.Configuration, shared: ServerShare, listeners: [ListeningSocket]
    ) throws(SystemError) {
        mailbox = try Mailbox()
        queue = DispatchQueue(label: label)
        loops = shared.loops
        state = try LoopState(configuration: configuration, shared: shared, listeners: listeners, mailbox: mailbox)
        epoll = state.descriptor
    }

    /// To be called once.
    func start() {
        let source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        source.setEventHandler { self.serve() }
        // The handler keeps the loop, and with it the epoll set, until Dispatch has let go of both.
        source.setCancelHandler { self.loops.leave() }
        self.source = source
        loops.enter()
        source.activate()
    }

    private func serve() {
        Scheduling.wakeAtOnce()
        if state.serve() == .ended { source?.cancel() }
    }
}
