import HTTP
import Synchronization

/// The memory for the request bodies of all connections. All loops share it.
///
/// Anonymous senders have a quarter of it and authenticated senders three quarters. Bodies above 1 MiB leave an eighth of the whole free.
/// So anonymous requests cannot displace authenticated requests, and imports cannot displace publishes.
final class BodyBudget: Sendable {
    enum Sender { case authenticated, anonymous }

    private let known = Atomic<Int>(0)
    private let unknown = Atomic<Int>(0)
    private let bytes: Int

    init(bytes: Int) { self.bytes = bytes }

    /// Reserved bytes.
    var reserved: Int { known.load(ordering: .relaxed) + unknown.load(ordering: .relaxed) }

    /// Reserves `count` more bytes for a body of at least `size` bytes. False above the sender's limit.
    fileprivate func acquire(_ count: Int, of size: Int, for sender: Sender) -> Bool {
        let (_, taken) =
            switch sender {
            case .authenticated: known.add(count, ordering: .relaxed)
            case .anonymous: unknown.add(count, ordering: .relaxed)
            }
        guard taken > limit(for: sender, isLarge: size > 1 << 20) else { return true }
        release(count, of: sender)
        return false
    }

    private func limit(for sender: Sender, isLarge: Bool) -> Int {
        switch sender {
        case .authenticated: isLarge ? bytes / 8 * 5 : bytes / 4 * 3
        case .anonymous: bytes / 4
        }
    }

    fileprivate func release(_ count: Int, of sender: Sender) {
        switch sender {
        case .authenticated: known.subtract(count, ordering: .relaxed)
        case .anonymous: unknown.subtract(count, ordering: .relaxed)
        }
    }
}

/// The part of the budget that one body reserves until its request is answered.
final class BodyReservation: Sendable {
    private let budget: BodyBudget
    private let sender: BodyBudget.Sender
    private let reserved = Atomic<Int>(0)

    init(in budget: BodyBudget, for sender: BodyBudget.Sender) {
        self.budget = budget
        self.sender = sender
    }

    deinit { release() }

    /// Releases the whole reservation. Any thread may call it.
    func release() {
        let bytes = reserved.exchange(0, ordering: .relaxed)
        budget.release(bytes, of: sender)
        if bytes >= HeapTrim.largeBody { HeapTrim.schedule() }
    }

    /// Bodies up to this size count as part of their connection.
    private static let free = 16 << 10
    /// The bytes that are reserved at once for a body of unknown length.
    private static let step = 256 << 10

    static func isNeeded(for framing: BodyFraming) -> Bool {
        switch framing {
        case .none: false
        case .length(let length): length > free
        case .chunked: true
        }
    }

    /// Reserves the announced length at once, so that a body is not rejected halfway. For an anonymous sender, reserves only the bytes that
    /// have arrived.
    func reserve(_ framing: BodyFraming) -> Bool {
        guard case .length(let length) = framing, sender == .authenticated else { return true }
        return grow(to: length)
    }

    /// Reserves memory for a body of `size` bytes; false if the budget is exhausted. Only the connection's loop may call it.
    func grow(to size: Int) -> Bool {
        let held = reserved.load(ordering: .relaxed)
        guard size > Self.free, size > held else { return true }
        let missing = max(size &- held, held == 0 ? 0 : Self.step)
        guard budget.acquire(missing, of: size, for: sender) else { return false }
        reserved.add(missing, ordering: .relaxed)
        return true
    }
}
