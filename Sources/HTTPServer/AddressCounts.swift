import Synchronization

/// The number of connections of each client address, bounded so that one address cannot take all connections of the server. All loops
/// share it.
final class AddressCounts: Sendable {
    private let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts one more connection; false if the address has reached its limit.
    func acquire(_ network: String) -> Bool {
        counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < limit else { return false }
            counts[network] = count + 1
            return true
        }
    }

    /// Counts one connection less.
    func release(_ network: String) {
        counts.withLock { counts in
            guard let count = counts[network], count > 1 else {
                counts[network] = nil
                return
            }
            counts[network] = count - 1
        }
    }
}
