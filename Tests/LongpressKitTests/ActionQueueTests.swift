import Foundation
import Synchronization
import Testing

@testable import LongpressKit

private func action(_ n: Int) -> ResolvedAction {
    ResolvedAction(
        outcome: .current, type: "t", tapped: ["n": .integer(Int64(n))], source: .continuity)
}

/// The actions that a listener got, in order.
@MainActor
private final class Heard {
    var numbers: [Int64] = []

    func listen(_ queue: ActionQueue, upTo most: Int = .max) -> Task<Void, Never> {
        Task {
            var left = most
            for await action in QuickActionTaps(queue) {
                if case .integer(let n)? = action.tapped["n"] { numbers.append(n) }
                left -= 1
                if left == 0 { break }
            }
        }
    }
}

/// Yields until the condition holds. Returns whether it did.
@MainActor
private func comes(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        await Task.yield()
    }
    return true
}

@MainActor
@Suite struct ActionQueueTests {
    private final class Clock: Sendable {
        private let instant = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { instant.withLock { $0 } }
        func advance(_ duration: Duration) { instant.withLock { $0 += duration } }
    }

    private let clock = Clock()
    private let queue: ActionQueue

    init() { queue = ActionQueue { [clock] in clock.now } }

    @Test func `taps are given in their order, however late one is resolved`() async {
        let places = (0..<3).map { _ in queue.append() }
        let heard = Heard()
        let listening = heard.listen(queue)
        queue.resolve(places[2], action(2))
        queue.resolve(places[1], action(1))
        await Task.yield()
        #expect(heard.numbers.isEmpty)
        queue.resolve(places[0], action(0))
        #expect(await comes { heard.numbers.count == 3 })
        #expect(heard.numbers == [0, 1, 2])
        listening.cancel()
    }

    @Test func `a tap is kept for ten seconds where nobody listens`() async {
        queue.resolve(queue.append(), action(0))
        clock.advance(.seconds(5))
        queue.resolve(queue.append(), action(1))
        clock.advance(.seconds(5))
        let heard = Heard()
        let listening = heard.listen(queue)
        #expect(await comes { heard.numbers == [1] })
        #expect(queue.isEmpty)
        listening.cancel()
    }

    @Test func `what a busy listener leaves is the next one's, and the ten seconds begin when the last has left`() async {
        let heard = Heard()
        let first = heard.listen(queue, upTo: 1)
        queue.resolve(queue.append(), action(0))
        #expect(await comes { heard.numbers == [0] })
        await first.value
        queue.resolve(queue.append(), action(1))
        clock.advance(.seconds(9))
        let next = Heard()
        let listening = next.listen(queue)
        #expect(await comes { next.numbers == [1] })
        listening.cancel()
    }

    @Test func `what waits for a busy listener is kept, and for ten seconds more once that one has left`() async {
        let busy = ActionQueue.ListenerID()
        queue.resolve(queue.append(), action(0))
        #expect(await queue.next(for: busy) == action(0))
        queue.resolve(queue.append(), action(1))
        clock.advance(.seconds(60))
        queue.leave(busy)
        clock.advance(.seconds(9))
        #expect(await queue.next(for: ActionQueue.ListenerID()) == action(1))
    }

    @Test func `the first of those who listen gets every tap, until it is cancelled`() async {
        let (one, two) = (Heard(), Heard())
        let first = one.listen(queue)
        queue.resolve(queue.append(), action(0))
        #expect(await comes { one.numbers == [0] })
        let second = two.listen(queue)
        queue.resolve(queue.append(), action(1))
        #expect(await comes { one.numbers == [0, 1] })
        first.cancel()
        await first.value
        queue.resolve(queue.append(), action(2))
        #expect(await comes { two.numbers == [2] })
        #expect(one.numbers == [0, 1])
        second.cancel()
    }

    @Test func `in random orders every tap is given once and in order`() async {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let queue = ActionQueue { [clock] in clock.now }
            let heard = Heard()
            var (places, listening): ([(Int, Int)], [Task<Void, Never>]) = ([], [])
            let count = Int.random(in: 1...6, using: &random)
            var appended = 0
            while appended < count || !places.isEmpty {
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where appended < count:
                    places.append((queue.append(), appended))
                    appended += 1
                case 1 where !places.isEmpty:
                    let (place, n) = places.remove(at: Int.random(in: places.indices, using: &random))
                    queue.resolve(place, action(n))
                case 2:
                    listening.append(heard.listen(queue, upTo: Int.random(in: 1...3, using: &random)))
                default: await Task.yield()
                }
            }
            listening.append(heard.listen(queue))
            guard await comes({ heard.numbers.count == count && queue.isEmpty }), heard.numbers == Array(0..<Int64(count)) else {
                Issue.record("\(count) taps were given as \(heard.numbers)")
                return
            }
            for task in listening { task.cancel() }
        }
    }
}
