import HTTP
import Shortcuts
import Synchronization

/// Answers that were rendered already, bounded in bytes; what each event loop has of them is `RecentAnswers`.
///
/// Found by what decides the bytes, as it came: the target and the negotiation fields. Answers that differ in their spelling
/// only share one representation, and go with it.
package final class RenderedAnswers: Sendable {
    // All of it is touched under the lock only.
    struct State: @unchecked Sendable {
        var answers: [Int: RememberedAnswer] = [:]
        var representations: [Representation.Name: Representation] = [:]
        var byApp: [AppID: [Representation]] = [:]
        var renderings: [Rendering.Key: Rendering] = [:]
        /// In the order in which they are looked at for eviction; some may be gone already.
        var clock: [Representation] = []
        var hand = 0
        var bytes = 0
    }

    /// How many spellings of one representation are known at a time.
    static let spellingLimit = 1024

    let state = Mutex(State())
    private let budget: Int
    private let changes = Atomic<Int>(0)
    let seed = Int.random(in: .min ... .max)

    package init(budget: Int = 64 << 20) {
        self.budget = budget
    }

    /// Grows with every change: a rendering that began before the last one is not kept.
    package var generation: Int { changes.load(ordering: .acquiring) }

    package var byteCount: Int { state.withLock { $0.bytes } }

    /// The answer to a fetch like one that was answered before.
    func answer(for key: Key, hashed hash: Int, in bytes: Span<UInt8>) -> RememberedAnswer? {
        let answer = state.withLock { $0.answers[hash] }
        guard let answer, key.isSpelled(answer.key, in: bytes) else { return nil }
        return answer
    }

    /// Keeps an answer for the next request like this one.
    /// - Parameter generation: what `generation` was before the store was read.
    func insert(_ answer: CacheableAnswer, by route: String, for request: Request, since generation: Int) {
        guard let parts = Key.parts(of: request) else { return }
        let hash = Key.hash(of: parts, seed: seed)
        state.withLock { state in
            guard self.generation == generation else { return }
            let representation = state.representations[answer.representation.name] ?? answer.representation
            guard representation.cost <= budget / 4 else { return }
            let remembered = RememberedAnswer(key: Key.joined(parts), answer, of: representation, by: route)
            state.keep(representation)
            state.keep(remembered, at: hash)
            state.evict(downTo: budget)
        }
    }

    /// The representation of that name: one that is kept, or what another worker is at, or else what `render` makes.
    /// - Parameter generation: what `generation` was before the store was read.
    func representation(
        _ name: Representation.Name, of app: AppID, since generation: Int, _ render: () -> [UInt8]
    ) -> Representation {
        let key = Rendering.Key(name: name, generation: generation)
        let (found, awaited) = state.withLock { state -> (Representation?, Rendering?) in
            if let kept = state.representations[name] { return (kept, nil) }
            defer { if state.renderings[key] == nil { state.renderings[key] = Rendering() } }
            return (nil, state.renderings[key])
        }
        if let representation = found ?? awaited?.wait() { return representation }
        let representation = Representation(name, of: app, render())
        state.withLock { state in
            if self.generation == generation, representation.cost <= budget / 4 {
                state.keep(representation)
                state.evict(downTo: budget)
            }
            return state.renderings.removeValue(forKey: key)
        }?.end(representation)
        return representation
    }

    /// Drops what is kept of an app. After it returns, no fetch is answered with what was rendered before.
    package func drop(_ app: AppID) {
        state.withLock { state in
            changes.wrappingAdd(1, ordering: .releasing)
            for representation in state.byApp[app] ?? [] { state.remove(representation) }
        }
    }
}
