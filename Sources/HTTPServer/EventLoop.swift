import Dispatch
import HTTP
import Threads

/// Runs one `LoopState` on one serial queue.
///
/// A dispatch source watches the epoll set. Its handler handles events until there are none for `LoopState.pollTimeout`. Under load, the
/// source fires rarely and costs no system call per connection. Any thread may post to `mailbox`; everything else happens on the queue.
final class EventLoop: @unchecked Sendable {  // `state` and `source` belong to `queue`, `source` from `start` on
    let mailbox: Mailbox
    private let queue: DispatchQueue
    private let loops: DispatchGroup
    private let epoll: Int32
    /// Exclusive access is checked dynamically once per `serve`, and statically within it.
    private var state: LoopState
    private var source: (any DispatchSourceRead)?

    init(
        label: String, configuration: HTTPServer.Configuration, shared: SharedState, listeners: [Listener]
    ) throws(SystemError) {
        mailbox = try Mailbox()
        queue = DispatchQueue(label: label)
        loops = shared.loops
        state = try LoopState(configuration: configuration, shared: shared, listeners: listeners, mailbox: mailbox)
        epoll = state.descriptor
    }

    /// Must be called once.
    func start() {
        let source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        source.setEventHandler { self.serve() }
        // The handlers retain the loop and its epoll set until Dispatch has released both.
        source.setCancelHandler { self.loops.leave() }
        self.source = source
        loops.enter()
        source.activate()
    }

    private func serve() {
        Scheduling.requestShortTimeSlice()
        if state.serve() == .ended { source?.cancel() }
    }
}
