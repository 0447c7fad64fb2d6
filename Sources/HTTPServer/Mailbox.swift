import HTTP
import Synchronization

/// What other threads have for an event loop.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case answer(Response, connection: UInt64)
        /// Whether a body may be sent: nil, or why not.
        case admission(Response?, connection: UInt64)
        case drain
        case stop
    }

    let wakeup: Wakeup
    private let messages = Mutex<[Message]>([])

    init() throws(SystemError) { wakeup = try Wakeup() }

    func post(_ message: Message) {
        let wasEmpty = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if wasEmpty { wakeup.signal() }
    }

    /// Everything posted since the last time.
    func take() -> [Message] {
        wakeup.clear()
        return messages.withLock { messages in
            let taken = messages
            messages = []
            return taken
        }
    }
}
