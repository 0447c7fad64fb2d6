import Synchronization

/// The number of connections of each client address. A limit stops one address from taking all connections. All loops share it.
final class AddressCounts: Sendable {
    private let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a new connection. False if the address has reached its limit.
    func acquire(_ network: String) -> Bool {
        counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < limit else { return false }
            counts[network] = count + 1
            return true
        }
    }

    /// Counts a closed connection.
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
