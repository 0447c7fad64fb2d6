import HTTP
import Synchronization

/// Messages from other threads to an event loop. Any thread may post; only the loop takes.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case answer(Response, connection: UInt64)
        /// The route's precheck has run. If `refusal` is nil, the body is read.
        case prechecked(refusal: Response?, connection: UInt64)
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
