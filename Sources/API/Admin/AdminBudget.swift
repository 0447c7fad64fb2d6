import Dispatch
import QuickActions
import Shortcuts
import Synchronization

/// The memory for applies, imports, exports and lists. A request holds its part from the start of the work until the answer was sent.
///
/// An eighth of the memory is for small requests, so that lists do not wait behind imports. Each part serves its requests in order. A
/// request that needs more than its part runs when no other request uses that part. Requests wait without a thread, for up to `timeout`.
package final class AdminBudget: Sendable {
    private static let maxWaiting = 64
    private static let maxDryRuns = 2

    /// What a request needs.
    struct Claim: Sendable {
        let bytes: Int
        /// The sender of a dry run; nil for other requests.
        var dryRunOf: Identity?
    }

    private struct Part {
        let bytes: Int
        var used = 0
        var waiting: [Waiting] = []

        /// - Returns: the reserved bytes; nil if there is not enough room.
        mutating func take(_ claim: Claim) -> Int? {
            let size = min(claim.bytes, bytes)
            guard used + size <= bytes else { return nil }
            used += size
            return size
        }
    }

    private struct State {
        var parts: [Part]
        var dryRuns: [TokenID: Int] = [:]
    }

    private final class Waiting: Sendable {
        let claim: Claim
        let proceed: @Sendable (Result<Reservation, Failure>) -> Void

        init(_ claim: Claim, _ proceed: @escaping @Sendable (Result<Reservation, Failure>) -> Void) {
            self.claim = claim
            self.proceed = proceed
        }
    }

    private let state: Mutex<State>
    private let largestSmallClaim: Int
    private let timeout: Duration

    package init(bytes: Int, timeout: Duration = .seconds(10)) {
        self.timeout = timeout
        let small = bytes / 8
        largestSmallClaim = small / 4
        state = Mutex(State(parts: [Part(bytes: small), Part(bytes: bytes - small)]))
    }

    /// Reserved bytes.
    package var used: Int { state.withLock { $0.parts.reduce(0) { $0 + $1.used } } }

    /// The number of waiting requests.
    package var waiting: Int { state.withLock { $0.parts.reduce(0) { $0 + $1.waiting.count } } }

    private func part(of claim: Claim) -> Int { claim.bytes <= largestSmallClaim ? 0 : 1 }

    /// - Returns: nil if the request must wait.
    /// - Throws: `tooManyRequests` if the token has two dry runs in progress.
    func reserve(_ claim: Claim) throws(Failure) -> Reservation? {
        let part = part(of: claim)
        let bytes = try state.withLock { state throws(Failure) -> Int? in
            try Self.requireDryRun(claim, state)
            guard state.parts[part].waiting.isEmpty, let bytes = state.parts[part].take(claim) else { return nil }
            Self.countDryRun(claim, &state, by: 1)
            return bytes
        }
        return bytes.map { Reservation(of: self, claim, bytes: $0) }
    }

    /// Calls `proceed` once, on any thread: with a reservation as soon as there is room, or with `tooManyRequests` or `overloaded`.
    func wait(for claim: Claim, _ proceed: @escaping @Sendable (Result<Reservation, Failure>) -> Void) {
        let part = part(of: claim)
        let waiting = Waiting(claim, proceed)
        do throws(Failure) {
            try state.withLock { state throws(Failure) in
                try Self.requireDryRun(claim, state)
                guard state.parts[part].waiting.count < Self.maxWaiting else {
                    throw .overloaded("\(Self.maxWaiting) requests are already waiting.")
                }
                Self.countDryRun(claim, &state, by: 1)
                state.parts[part].waiting.append(waiting)
            }
        } catch {
            return proceed(.failure(error))
        }
        proceedWithWaiting(in: part)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(timeout.inMilliseconds))) { [weak self, weak waiting] in
            if let waiting { self?.giveUp(waiting, in: part) }
        }
    }

    private func giveUp(_ waiting: Waiting, in part: Int) {
        let isWaiting = state.withLock { state in
            guard let index = state.parts[part].waiting.firstIndex(where: { $0 === waiting }) else { return false }
            state.parts[part].waiting.remove(at: index)
            Self.countDryRun(waiting.claim, &state, by: -1)
            return true
        }
        guard isWaiting else { return }
        waiting.proceed(.failure(.overloaded("This request waited \(timeout.text).")))
        // The next request may need less.
        proceedWithWaiting(in: part)
    }

    private func proceedWithWaiting(in part: Int) {
        let admitted = state.withLock { state in
            var admitted: [(Waiting, bytes: Int)] = []
            while let first = state.parts[part].waiting.first, let bytes = state.parts[part].take(first.claim) {
                admitted.append((state.parts[part].waiting.removeFirst(), bytes))
            }
            return admitted
        }
        for (waiting, bytes) in admitted { waiting.proceed(.success(Reservation(of: self, waiting.claim, bytes: bytes))) }
    }

    private static func requireDryRun(_ claim: Claim, _ state: State) throws(Failure) {
        guard let identity = claim.dryRunOf, state.dryRuns[identity.id, default: 0] >= maxDryRuns else { return }
        throw Failure(
            .tooManyRequests,
            "\(identity.title) has \(maxDryRuns) dry runs in progress. Try again when one of them has finished.")
    }

    private static func countDryRun(_ claim: Claim, _ state: inout State, by change: Int) {
        guard let id = claim.dryRunOf?.id else { return }
        let count = state.dryRuns[id, default: 0] + change
        state.dryRuns[id] = count > 0 ? count : nil
    }

    fileprivate func change(_ claim: Claim, by bytes: Int, isOver: Bool) {
        let part = part(of: claim)
        state.withLock { state in
            state.parts[part].used += bytes
            if isOver { Self.countDryRun(claim, &state, by: -1) }
        }
        proceedWithWaiting(in: part)
    }
}

extension AdminBudget {
    /// One request's part of the budget, reserved for the lifetime of this object.
    final class Reservation: Sendable {
        private let budget: AdminBudget
        let claim: Claim
        private let bytes: Atomic<Int>
        /// False once the work has ended.
        private let isWorking = Atomic(true)

        fileprivate init(of budget: AdminBudget, _ claim: Claim, bytes: Int) {
            self.budget = budget
            self.claim = claim
            self.bytes = Atomic(bytes)
        }

        deinit { finish(keeping: 0) }

        /// Ends the work. The answer still needs memory, but a dry run is over: its client may send the next one at once.
        /// - Parameter count: the size of the answer, in bytes.
        func finish(keeping count: Int) {
            let before = bytes.exchange(count, ordering: .relaxed)
            budget.change(claim, by: count - before, isOver: isWorking.exchange(false, ordering: .relaxed))
        }
    }
}

extension Failure {
    fileprivate static func overloaded(_ reason: String) -> Failure {
        Failure(
            .overloaded, "Other requests use all memory that --admin-budget allows. \(reason) Try again, or split the request.",
            retryAfter: 5)
    }
}
