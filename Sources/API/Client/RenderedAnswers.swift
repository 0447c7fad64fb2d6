import HTTP
import Shortcuts
import Synchronization

/// Answers that were rendered already, packed and bounded in bytes; what each event loop is asked for most it has unpacked, as
/// `RecentAnswers`.
///
/// Found by what decides the bytes, as it came: the target and the negotiation fields.
package final class RenderedAnswers: Sendable {
    // All of it is touched under the lock only.
    struct State: @unchecked Sendable {
        var answers: [Int: PackedAnswer] = [:]
        var apps: [AppID: AppAnswers] = [:]
        /// In the order in which they are looked at for eviction.
        var turns: [PackedAnswer] = []
        var hand = 0
        var bytes = 0
        var renderings: [Rendering.Key: Rendering] = [:]
        /// Bytes of the first answers, until they are enough for a sample.
        var firstBytes: [UInt8] = []
        var sample: Sample?
    }

    /// What became of a request that no answer was kept for.
    enum Outcome {
        /// May be handed out to all who ask alike, until the app changes.
        case cacheable(CacheableAnswer, of: AppID)
        case response(Response)
    }

    let seed = Int.random(in: .min ... .max)
    /// What the unpacked answers of one event loop may take, in bytes.
    let share: Int
    /// What the packed ones may take.
    private let budget: Int
    private let state = Mutex(State())
    private let packer = Mutex<Packer?>(nil)
    private let changes = Atomic<Int>(0)
    private let unpackedBytes = Atomic<Int>(0)

    /// - Parameters:
    ///   - budget: in bytes, of which an eighth is for what is unpacked.
    ///   - loops: how many event loops share that.
    package init(budget: Int = 64 << 20, loops: Int = 1) {
        share = budget / 8 / max(1, loops)
        self.budget = budget - budget / 8
    }

    package var byteCount: Int { state.withLock { $0.bytes } + unpackedBytes.load(ordering: .relaxed) }

    /// Told by an event loop of its unpacked answers.
    func countUnpacked(_ bytes: Int) { unpackedBytes.wrappingAdd(bytes, ordering: .relaxed) }

    /// What is kept for a hash, whatever its spelling is.
    func answer(at hash: Int) -> PackedAnswer? { state.withLock { $0.use(hash) } }

    /// The answer to a request: what is kept, or what another worker is at for one like it, or else what `render` makes, which is
    /// kept for the next.
    /// - Parameter route: the route's name, for metrics.
    func response(
        to request: Request, by route: String, _ render: () throws(Failure) -> Outcome
    ) throws(Failure) -> Response {
        guard let key = Spelling(of: request, seed: seed) else { return try render().response(to: request) }
        let rendering = Rendering.Key(spelling: key.bytes, generation: changes.load(ordering: .acquiring))
        let (found, awaited) = state.withLock { state -> (PackedAnswer?, Rendering?) in
            if let kept = state.use(key.hash) { return (kept, nil) }
            defer { if state.renderings[rendering] == nil { state.renderings[rendering] = Rendering() } }
            return (nil, state.renderings[rendering])
        }
        if let kept = found.flatMap({ CacheableAnswer($0, spelled: key) }) ?? awaited?.wait() { return try kept.response(to: request) }
        guard found == nil, awaited == nil else { return try render().response(to: request) }
        do throws(Failure) {
            let outcome = try render()
            if case .cacheable(let answer, let app) = outcome {
                keep(PreparedAnswer(prefix: key.bytes, answer, by: route), at: key.hash, of: app, since: rendering.generation)
            }
            end(rendering, outcome)
            return try outcome.response(to: request)
        } catch {
            end(rendering, nil)
            throw error
        }
    }

    /// Replaces what is kept of an app, in one step, by what it is now: of what was asked for again since it was rendered it is made
    /// anew, the rest is dropped. Until then the former answers are given; after it returns, no fetch is answered with them.
    ///
    /// To be called by one thread at a time for an app.
    /// - Parameter render: what the route of that name says to a request.
    func refresh(_ app: AppID, _ render: (_ request: Request, _ route: String) -> Outcome?) {
        let (wanted, generation) = state.withLock { state in
            // Whatever is being rendered may have read what was before.
            (state.wanted(of: app), changes.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue)
        }
        let unpacker = wanted.isEmpty ? nil : Unpacker()
        let fresh = wanted.compactMap { former -> (PackedAnswer.Contents, uses: UInt8)? in
            guard let unpacker, let route = former.answer.header.route, let key = former.answer.spelling(by: unpacker),
                let request = key.request, case .cacheable(let answer, _) = render(request, route),
                let contents = contents(PreparedAnswer(prefix: key.bytes, answer, by: route), at: key.hash)
            else { return nil }
            return (contents, former.uses)
        }
        state.withLock { state in
            state.drop(app)
            guard changes.load(ordering: .acquiring) == generation else { return }
            for (contents, uses) in fresh { state.keep(contents, of: app, uses: uses, within: budget) }
        }
    }

    /// Drops what is kept of an app. After it returns, no fetch is answered with what was rendered before.
    package func drop(_ app: AppID) {
        state.withLock { state in
            changes.wrappingAdd(1, ordering: .releasing)
            state.drop(app)
        }
    }

    private func keep(_ answer: PreparedAnswer, at hash: Int, of app: AppID, since generation: Int) {
        guard let contents = contents(answer, at: hash) else { return }
        state.withLock { state in
            guard changes.load(ordering: .acquiring) == generation else { return }
            state.keep(contents, of: app, within: budget)
        }
    }

    /// What is kept of an answer; nil where it is too large for the budget.
    private func contents(_ answer: PreparedAnswer, at hash: Int) -> PackedAnswer.Contents? {
        let sample = state.withLock { $0.sample(with: answer.bytes) }
        let contents = PackedAnswer.Contents(answer, packed: sample.flatMap { pack(answer.bytes, with: $0) }, with: sample, at: hash)
        return contents.cost <= budget / 4 ? contents : nil
    }

    private func pack(_ bytes: [UInt8], with sample: Sample) -> [UInt8]? {
        packer.withLock { packer in
            if packer == nil { packer = Packer() }
            return packer?.pack(bytes, sample: sample.bytes)
        }
    }

    private func end(_ key: Rendering.Key, _ outcome: Outcome?) {
        let rendering = state.withLock { $0.renderings.removeValue(forKey: key) }
        if case .cacheable(let answer, _) = outcome { rendering?.end(answer) } else { rendering?.end(nil) }
    }
}

extension RenderedAnswers.Outcome {
    fileprivate func response(to request: Request) throws(Failure) -> Response {
        switch self {
        case .cacheable(let answer, _): try answer.response(to: request)
        case .response(let response): response
        }
    }
}

extension PreparedAnswer {
    fileprivate init(prefix: [UInt8], _ answer: CacheableAnswer, by route: String) {
        self.init(prefix: prefix, fields: answer.fields, validators: answer.validators, body: answer.body, route: route)
    }
}

extension CacheableAnswer {
    /// Nil where it answers another spelling of the same hash.
    fileprivate init?(_ kept: PackedAnswer, spelled key: RenderedAnswers.Spelling) {
        guard let prepared = Unpacker().flatMap({ kept.unpacked(by: $0) }), prepared.bytes[prepared.layout.prefix] == key.bytes[...]
        else { return nil }
        self.init(prepared)
    }
}

extension PackedAnswer {
    fileprivate func spelling(by unpacker: Unpacker) -> RenderedAnswers.Spelling? {
        unpacked(by: unpacker).map { RenderedAnswers.Spelling(bytes: Array($0.bytes[$0.layout.prefix]), hash: header.place) }
    }
}
