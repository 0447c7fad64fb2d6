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
