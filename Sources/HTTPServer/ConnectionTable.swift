import Synchronization

/// The open connections of one loop by descriptor, each of which is counted in what all loops share.
struct ConnectionTable: ~Copyable {
    private let shared: ServerShare
    private let metrics: any ServerMetrics
    private var slots: [Connection?] = []
    private var count = 0
    private var lastSerial: UInt32 = 0

    init(shared: ServerShare, metrics: any ServerMetrics) {
        self.shared = shared
        self.metrics = metrics
    }

    var isEmpty: Bool { count == 0 }

    var all: [Connection] { slots.compactMap { $0 } }

    /// The connection of that token, unless it is gone.
    func connection(token: UInt64) -> Connection? {
        let slot = Int(UInt32(truncatingIfNeeded: token))
        guard slot < slots.count, let connection = slots[slot], connection.token == token else { return nil }
        return connection
    }

    func connection(slot: Int) -> Connection? { slot < slots.count ? slots[slot] : nil }

    /// Never 0: what is no connection has that in its token.
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

    /// To be called once for each that was inserted.
    mutating func remove(_ connection: Connection) {
        slots[connection.slot] = nil
        count -= 1
        shared.openConnections.subtract(1, ordering: .relaxed)
        connection.network.map { shared.addresses?.leave($0) }
        metrics.connectionClosed()
    }
}
