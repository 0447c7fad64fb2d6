import Dispatch
import HTTP
import Platform
import Synchronization

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

/// Messages from other threads to an event loop. Any thread may post; only the loop receives.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case answer(Response, connection: UInt64)
        /// The route has checked the head of a request whose body was not read.
        case checked(Admission, connection: UInt64)
        /// The next portion of a stream; nil if it is not available.
        case portion(EventStream?, connection: UInt64)
        case events([StreamedEvent])
        /// Ends all streams. Their clients reconnect and get the events that they missed.
        case restartStreams
        /// Ends the streams whose permission has ended.
        case endStreamsWithoutAccess
        case proxies(TrustedProxies)
        /// See `HTTPServer.drain`.
        case drain
        /// Closes all connections at once.
        case stop
    }

    let wakeup: Wakeup
    private let messages = Mutex<[Message]>([])
    /// Whether the loop has taken its messages since `askForTurn`.
    var hasTurned: Bool { !isAsked.load(ordering: .acquiring) }
    private let isAsked = Atomic(false)

    init() throws(SystemError) { wakeup = try Wakeup() }

    func post(_ message: Message) {
        let wasEmpty = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if wasEmpty { wakeup.signal() }
    }

    /// Wakes the loop, so that it takes its messages.
    func askForTurn() {
        isAsked.store(true, ordering: .releasing)
        wakeup.signal()
    }

    /// The messages posted since the last call.
    func take() -> [Message] {
        wakeup.clear()
        isAsked.store(false, ordering: .releasing)
        return messages.withLock { messages in
            let taken = messages
            messages = []
            return taken
        }
    }
}
