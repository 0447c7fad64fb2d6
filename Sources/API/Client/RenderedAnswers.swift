import HTTP
import Shortcuts
import Synchronization

/// Answers that were rendered already, bounded in bytes: the fetch path.
///
/// Found by what decides the bytes, as it came: the target and the negotiation fields. A look-up hashes them, compares them
/// and hands the answer over; nothing is parsed, nothing is allocated. Answers that differ in their spelling only share one
/// representation, and go with it.
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
        var generation = 0
    }

    /// How many spellings of one representation are known at a time.
    static let spellingLimit = 1024

    let state = Mutex(State())
    private let budget: Int
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
            guard let answer = state.answers[hash], key.isSpelled(answer.key, in: bytes) else { return nil }
            answer.representation.wasUsed = true
            return answer
        }
        guard let answer else { return nil }
        guard let ifNoneMatch = head.ifNoneMatch, EntityTag.isListed(answer.etag, in: bytes.extracting(ifNoneMatch)) else {
            return answer.ok
        }
        return answer.notModified
    }

    /// Keeps an answer for the next request like this one.
    /// - Parameter generation: what `generation` was before the store was read.
    func insert(_ answer: CacheableAnswer, by route: String, for request: Request, since generation: Int) {
        guard let parts = Key.parts(of: request) else { return }
        let hash = Key.hash(of: parts, seed: seed)
        state.withLock { state in
            guard state.generation == generation else { return }
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
            if state.generation == generation, representation.cost <= budget / 4 {
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
            state.generation += 1
            for representation in state.byApp[app] ?? [] { state.remove(representation) }
        }
    }
}
