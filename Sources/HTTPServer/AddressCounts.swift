import Synchronization

/// How many connections each address has, so that one of them cannot take all there are.
final class AddressCounts: Sendable {
    private let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// False where the address has as many as it may have.
    func enter(_ network: String) -> Bool {
        counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < limit else { return false }
            counts[network] = count + 1
            return true
        }
    }

    func leave(_ network: String) {
        counts.withLock { counts in
            guard let count = counts[network], count > 1 else {
                counts[network] = nil
                return
            }
            counts[network] = count - 1
        }
    }
}
