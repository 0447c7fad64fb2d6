import HTTP
import Shortcuts
import Synchronization

/// Answers that were rendered already, bounded in bytes: the fetch path.
///
/// The key is what decides the bytes, as it came: the target and the negotiation fields. A look-up hashes it, compares it
/// and hands the answer over; nothing is parsed, nothing is allocated.
package final class RenderedAnswers: Sendable {
    private final class Entry {
        let key: [UInt8]
        let app: AppID
        let answer: RememberedAnswer
        var wasUsed = false

        init(key: [UInt8], app: AppID, answer: RememberedAnswer) {
            self.key = key
            self.app = app
            self.answer = answer
        }

        /// With what the tables take beside the bytes.
        var cost: Int { answer.byteCount + key.count + 256 }
    }

    // Entries are touched under the lock only.
    private struct State: @unchecked Sendable {
        var entries: [Int: Entry] = [:]
        var hashesByApp: [AppID: Set<Int>] = [:]
        /// Hashes in the order in which they are looked at for eviction; some may be gone already.
        var clock: [Int] = []
        var hand = 0
        var bytes = 0
        var generation = 0
    }

    private let budget: Int
    private let state = Mutex(State())
    private let seed = Int.random(in: .min ... .max)

    package init(budget: Int = 64 << 20) {
        self.budget = budget
    }

    /// Grows with every change: a rendering that began before the last one is not kept.
    package var generation: Int { state.withLock { $0.generation } }

    package var byteCount: Int { state.withLock { $0.bytes } }

    /// The answer to a fetch like one that was answered before: 304 where the client has the bytes.
    package func answer(for head: borrowing RequestHead, in bytes: Span<UInt8>) -> PreparedAnswer? {
        let key = Key(head)
        let hash = key.hash(in: bytes, seed: seed)
        let answer = state.withLock { state -> RememberedAnswer? in
            guard let entry = state.entries[hash], key.isSpelled(entry.key, in: bytes) else { return nil }
            entry.wasUsed = true
            return entry.answer
        }
        guard let answer else { return nil }
        guard let ifNoneMatch = head.ifNoneMatch, EntityTag.isListed(answer.etag, in: bytes.extracting(ifNoneMatch)) else {
            return answer.ok
        }
        return answer.notModified
    }

    /// Keeps an answer for the next request like this one.
    /// - Parameter generation: what `generation` was before the store was read.
    func insert(_ answer: RememberedAnswer, for request: Request, of app: AppID, since generation: Int) {
        guard let parts = Key.parts(of: request) else { return }
        let key = Key.joined(parts)
        let hash = Key.hash(of: parts, seed: seed)
        let entry = Entry(key: key, app: app, answer: answer)
        guard entry.cost <= budget / 4 else { return }
        state.withLock { state in
            guard state.generation == generation else { return }
            if let former = state.entries[hash] { Self.remove(former, hash, &state) }
            state.entries[hash] = entry
            state.hashesByApp[app, default: []].insert(hash)
            state.clock.append(hash)
            state.bytes += entry.cost
            evict(&state)
        }
    }

    /// Drops what is kept of an app. After it returns, no fetch is answered with what was rendered before.
    package func drop(_ app: AppID) {
        state.withLock { state in
            state.generation += 1
            for hash in state.hashesByApp[app] ?? [] {
                if let entry = state.entries[hash] { Self.remove(entry, hash, &state) }
            }
        }
    }

    /// Second chance: what was used since the hand came by stays for another round.
    private func evict(_ state: inout State) {
        while state.bytes > budget, !state.clock.isEmpty {
            if state.hand >= state.clock.count { state.hand = 0 }
            let hash = state.clock[state.hand]
            if let entry = state.entries[hash], entry.wasUsed {
                entry.wasUsed = false
                state.hand += 1
                continue
            }
            if let entry = state.entries[hash] { Self.remove(entry, hash, &state) }
            state.clock.swapAt(state.hand, state.clock.count - 1)
            state.clock.removeLast()
        }
        if state.clock.count > 64 + 2 * state.entries.count {
            state.clock = Array(state.entries.keys)
            state.hand = 0
        }
    }

    private static func remove(_ entry: Entry, _ hash: Int, _ state: inout State) {
        state.entries[hash] = nil
        state.bytes -= entry.cost
        state.hashesByApp[entry.app]?.remove(hash)
        if state.hashesByApp[entry.app]?.isEmpty ?? false { state.hashesByApp[entry.app] = nil }
    }
}
