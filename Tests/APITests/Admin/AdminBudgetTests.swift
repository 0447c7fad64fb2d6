import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import API

@Suite struct AdminBudgetTests {
    private let budget = AdminBudget(bytes: 800, timeout: .seconds(600))

    private func identity(_ id: TokenID) -> Identity {
        Identity(id: id, name: "ci", role: .reader, scope: .all, expiresAt: nil, person: TokenOwner("ci"), owner: .token(id))
    }

    /// Waits for a claim and adds its result to `results`.
    private func wait(_ bytes: Int, _ results: Results, on budget: AdminBudget? = nil, dryRunOf identity: Identity? = nil) {
        (budget ?? self.budget).wait(for: .init(bytes: bytes, dryRunOf: identity)) { results.append($0) }
    }

    private func refusal(_ claim: AdminBudget.Claim) -> Failure.Code? {
        do throws(Failure) {
            _ = try budget.reserve(claim)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `large requests wait for each other in their order, and small ones for none of them`() throws {
        let results = Results()
        var first = try budget.reserve(.init(bytes: 500))
        #expect(first != nil && budget.used == 500)
        #expect(try budget.reserve(.init(bytes: 201)) == nil)
        wait(400, results)
        #expect(try budget.reserve(.init(bytes: 200)) == nil, "It would pass the one that waits.")
        wait(200, results)
        #expect(budget.waiting == 2)
        let small = try budget.reserve(.init(bytes: 25))
        #expect(small != nil)
        first?.finish(keeping: 100)
        #expect(results.sizes == [400, 200] && budget.waiting == 0)
        first = nil
        results.removeAll()
        #expect(budget.used == 25)
        withExtendedLifetime(small) {}
    }

    @Test func `a request that needs more than there is runs alone`() throws {
        let results = Results()
        var other = try budget.reserve(.init(bytes: 26))
        wait(.max, results)
        #expect(other != nil && results.sizes == [])
        other = nil
        #expect(results.sizes == [.max] && budget.used == 700)
        #expect(try budget.reserve(.init(bytes: 26)) == nil)
        results.removeAll()
        #expect(try budget.reserve(.init(bytes: 26)) != nil)
    }

    @Test func `a token has two dry runs at work, those that wait included`() throws {
        let results = Results()
        let (one, other) = (identity("one"), identity("other"))
        var running = try budget.reserve(.init(bytes: 700, dryRunOf: one))
        wait(100, results, dryRunOf: one)
        #expect(running != nil && refusal(.init(bytes: 1, dryRunOf: one)) == .tooManyRequests)
        wait(100, results, dryRunOf: one)
        #expect(results.failures == [.tooManyRequests])
        #expect(try budget.reserve(.init(bytes: 1)) != nil)
        #expect(try budget.reserve(.init(bytes: 1, dryRunOf: other)) != nil)
        running?.finish(keeping: 700)
        #expect(try budget.reserve(.init(bytes: 1, dryRunOf: one)) != nil, "The work has ended. Only its answer is being sent.")
        running = nil
        #expect(results.sizes == [100])
        #expect(try budget.reserve(.init(bytes: 1, dryRunOf: one)) != nil)
        results.removeAll()
        #expect(budget.used == 0)
    }

    @Test func `nobody waits for ever, and only so many wait`() async throws {
        let hasty = AdminBudget(bytes: 800, timeout: .milliseconds(20))
        let running = try hasty.reserve(.init(bytes: 700))
        let results = Results()
        wait(700, results, on: hasty)
        while results.failures.isEmpty { await Task.yield() }
        #expect(results.failures == [.overloaded] && hasty.waiting == 0 && hasty.used == 700)
        let others = Results()
        let full = try budget.reserve(.init(bytes: 700))
        for _ in 0..<65 { wait(100, others) }
        #expect(others.failures == [.overloaded] && budget.waiting == 64)
        withExtendedLifetime((running, full)) {}
    }
}

/// The results of the claims that waited.
private final class Results: Sendable {
    private let all = Mutex<[Result<AdminBudget.Reservation, Failure>]>([])

    func append(_ result: Result<AdminBudget.Reservation, Failure>) { all.withLock { $0.append(result) } }

    /// Ends the reservations, outside of the lock, because other claims then continue.
    func removeAll() {
        let ended = all.withLock { all in
            defer { all = [] }
            return all
        }
        withExtendedLifetime(ended) {}
    }

    var sizes: [Int] { all.withLock { all in all.compactMap { (try? $0.get())?.claim.bytes } } }

    var failures: [Failure.Code] {
        all.withLock { all in
            all.compactMap { result in
                if case .failure(let failure) = result { failure.code } else { nil }
            }
        }
    }
}
