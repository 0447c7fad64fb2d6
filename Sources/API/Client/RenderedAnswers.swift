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
        let answer: PreparedAnswer
        var wasUsed = false

        init(key: [UInt8], app: AppID, answer: PreparedAnswer) {
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

    package func answer(for head: RequestHead, in bytes: UnsafeRawBufferPointer) -> PreparedAnswer? {
        guard !head.repeatsNegotiation else { return nil }
        var hasher = Hasher()
        hasher.combine(seed)
        for range in [head.target, head.accept, head.acceptEncoding, head.acceptLanguage] {
            Self.combine(range.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }, &hasher)
        }
        let hash = hasher.finalize()
        return state.withLock { state in
            guard let entry = state.entries[hash], Self.isKey(entry.key, of: head, in: bytes) else { return nil }
            entry.wasUsed = true
            return entry.answer
        }
    }

    /// Keeps an answer for the next request like this one.
    /// - Parameter generation: what `generation` was before the store was read.
    package func insert(_ answer: PreparedAnswer, for request: Request, of app: AppID, since generation: Int) {
        guard let key = Self.key(of: request) else { return }
        var hasher = Hasher()
        hasher.combine(seed)
        for part in key {
            if let part { part.withUnsafeBytes { Self.combine($0, &hasher) } } else { Self.combine(nil, &hasher) }
        }
        let hash = hasher.finalize()
        let entry = Entry(key: Self.joined(key), app: app, answer: answer)
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

extension RenderedAnswers {
    /// Target, `Accept`, `Accept-Encoding`, `Accept-Language`; nil where one of the fields is given twice.
    private static func key(of request: Request) -> [[UInt8]?]? {
        var parts: [[UInt8]?] = [Array(request.target.utf8)]
        for name in ["Accept", "Accept-Encoding", "Accept-Language"] {
            let values = request.fields.all(name)
            guard values.count <= 1 else { return nil }
            parts.append(values.first.map { Array($0.utf8) })
        }
        return parts
    }

    private static func combine(_ part: UnsafeRawBufferPointer?, _ hasher: inout Hasher) {
        hasher.combine(part?.count ?? -1)
        if let part { hasher.combine(bytes: part) }
    }

    /// Parts follow a zero byte; an absent one is a byte 1. Neither occurs in a target or a field.
    private static func joined(_ parts: [[UInt8]?]) -> [UInt8] {
        parts.flatMap { part in part.map { [0] + $0 } ?? [1] }
    }

    private static func isKey(_ key: [UInt8], of head: RequestHead, in bytes: UnsafeRawBufferPointer) -> Bool {
        key.withUnsafeBytes { key in
            var rest = key[...]
            for range in [head.target, head.accept, head.acceptEncoding, head.acceptLanguage] {
                guard let range else {
                    guard rest.first == 1 else { return false }
                    rest = rest.dropFirst()
                    continue
                }
                guard rest.first == 0, rest.count > range.count, rest.dropFirst().prefix(range.count).elementsEqual(bytes[range]) else {
                    return false
                }
                rest = rest.dropFirst(1 + range.count)
            }
            return rest.isEmpty
        }
    }
}
