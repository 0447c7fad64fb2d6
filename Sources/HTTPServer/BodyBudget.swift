import HTTP
import Synchronization

/// How much memory the bodies of all connections may take together.
///
/// Senders nobody knows share a quarter, so that they cannot keep out who has a token; and large bodies leave an eighth, so that
/// an import does not keep out who publishes.
final class BodyBudget: Sendable {
    enum Sender { case known, unknown }

    private let known = Atomic<Int>(0)
    private let unknown = Atomic<Int>(0)
    private let bytes: Int

    init(bytes: Int) { self.bytes = bytes }

    var taken: Int { known.load(ordering: .relaxed) + unknown.load(ordering: .relaxed) }

    /// Takes `count` bytes for a body of `size` bytes so far; false where too many are taken.
    fileprivate func take(_ count: Int, of size: Int, for sender: Sender) -> Bool {
        let (_, taken) =
            switch sender {
            case .known: known.add(count, ordering: .relaxed)
            case .unknown: unknown.add(count, ordering: .relaxed)
            }
        guard taken > ceiling(for: sender, isLarge: size > 1 << 20) else { return true }
        giveBack(count, of: sender)
        return false
    }

    private func ceiling(for sender: Sender, isLarge: Bool) -> Int {
        switch sender {
        case .known: isLarge ? bytes / 8 * 5 : bytes / 4 * 3
        case .unknown: bytes / 4
        }
    }

    fileprivate func giveBack(_ count: Int, of sender: Sender) {
        switch sender {
        case .known: known.subtract(count, ordering: .relaxed)
        case .unknown: unknown.subtract(count, ordering: .relaxed)
        }
    }
}

/// What one body takes of the budget, until its request is answered.
final class BodyRoom: Sendable {
    private let budget: BodyBudget
    private let sender: BodyBudget.Sender
    private let taken = Atomic<Int>(0)

    init(in budget: BodyBudget, for sender: BodyBudget.Sender) {
        self.budget = budget
        self.sender = sender
    }

    deinit { leave() }

    /// Gives back all of it.
    func leave() {
        let taken = taken.exchange(0, ordering: .relaxed)
        budget.giveBack(taken, of: sender)
        if taken >= HeapTrim.largeBody { HeapTrim.soon() }
    }

    /// Bodies up to this size go with their connection and are not counted.
    private static let free = 16 << 10
    /// What is taken at a time, where a body does not say how long it is.
    private static let step = 256 << 10

    static func isNeeded(for framing: BodyFraming) -> Bool {
        switch framing {
        case .none: false
        case .length(let length): length > free
        case .chunked: true
        }
    }

    /// Takes what was announced at once, so that a body that was begun is not refused in its middle. Who is not known has to send
    /// what it takes.
    func reserve(_ framing: BodyFraming) -> Bool {
        guard case .length(let length) = framing, sender == .known else { return true }
        return grow(to: length)
    }

    /// Sees to it that a body of so many bytes has its room. Called by the connection's loop only.
    func grow(to size: Int) -> Bool {
        let taken = taken.load(ordering: .relaxed)
        guard size > Self.free, size > taken else { return true }
        let missing = max(size &- taken, taken == 0 ? 0 : Self.step)
        guard budget.take(missing, of: size, for: sender) else { return false }
        self.taken.add(missing, ordering: .relaxed)
        return true
    }
}
