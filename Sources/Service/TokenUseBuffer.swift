import Logging
import Platform
import Shortcuts
import Storage
import Synchronization

/// Collects uses of tokens in memory and writes them to the store in batches, so that no request waits for the store. If the process is
/// killed, the uses of the last seconds are lost.
final class TokenUseBuffer: Sendable {
    /// The time from the first use after a batch to the next batch, and the time after a failed batch.
    private static let (delay, delayAfterFailure): (Duration, Duration) = (.seconds(3), .seconds(60))

    private let store: Store
    private let logger: Logger
    private let thread: SerialThread
    /// The first use of each token since the last batch. Only stored tokens are recorded, which bounds its size.
    private let uses = Mutex<[TokenID: TokenUse]>([:])

    /// - Parameter thread: writes the batches.
    init(store: Store, on thread: SerialThread, logger: Logger) {
        self.store = store
        self.logger = logger
        self.thread = thread
    }

    /// Any thread may call it.
    func note(_ id: TokenID, _ use: TokenUse) {
        let isFirst = uses.withLock { uses in
            defer { if uses[id] == nil { uses[id] = use } }
            return uses.isEmpty
        }
        if isFirst { write(after: Self.delay) }
    }

    func flush() {
        thread.runAndWait { self.write() }
    }

    private func write(after delay: Duration) {
        thread.run(after: delay, for: self) { [weak self] in self?.write() }
    }

    /// Only `thread` calls it. If the write fails, the next batch includes the uses.
    private func write() {
        let batch = uses.withLock { uses in
            defer { uses = [:] }
            return uses
        }
        guard !batch.isEmpty else { return }
        do throws(Failure) {
            try store.note(batch)
        } catch {
            logger.warning("uses of tokens are not recorded yet; retrying", metadata: ["cause": "\(error.cause ?? error.detail)"])
            uses.withLock { $0.merge(batch) { newer, _ in newer } }
            write(after: Self.delayAfterFailure)
        }
    }
}
