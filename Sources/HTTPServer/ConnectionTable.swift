import Synchronization

/// The open connections of one loop by descriptor. `SharedState` counts them, too.
struct ConnectionTable: ~Copyable {
    private let shared: SharedState
    private let metrics: any ServerMetrics
    private var slots: [Connection?] = []
    private var count = 0
    private var lastSerial: UInt32 = 0

    init(shared: SharedState, metrics: any ServerMetrics) {
        self.shared = shared
        self.metrics = metrics
    }

    var isEmpty: Bool { count == 0 }

    var all: [Connection] { slots.compactMap { $0 } }

    /// The connection with that token; nil if it is closed.
    func connection(token: UInt64) -> Connection? {
        let slot = Int(UInt32(truncatingIfNeeded: token))
        guard slot < slots.count, let connection = slots[slot], connection.token == token else { return nil }
        return connection
    }

    func connection(slot: Int) -> Connection? { slot < slots.count ? slots[slot] : nil }

    /// Never 0: that is the serial number in the tokens of descriptors that are not connections.
    mutating func nextSerial() -> UInt32 {
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        return lastSerial
    }

    mutating func insert(_ connection: Connection) {
        let slot = connection.slot
        if slot >= slots.count { slots.append(contentsOf: repeatElement(nil, count: slot - slots.count + 1)) }
        slots[slot] = connection
        count += 1
        shared.openConnections.add(1, ordering: .relaxed)
        metrics.connectionOpened()
    }

    /// Must be called exactly once for each inserted connection.
    mutating func remove(_ connection: Connection) {
        slots[connection.slot] = nil
        count -= 1
        shared.openConnections.subtract(1, ordering: .relaxed)
        connection.network.map { shared.addresses?.release($0) }
        metrics.connectionClosed()
    }
}

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
