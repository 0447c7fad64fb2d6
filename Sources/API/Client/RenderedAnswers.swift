import HTTP
import QuickActions
import Shortcuts
import Synchronization

/// Answers that were rendered already, packed and bounded in bytes; what each event loop is asked for most it has unpacked, as
/// `RecentAnswers`.
///
/// Found by the target and the negotiation fields: as they came, or as the simplest request has them that selects the same
/// representation. Where an app is asked for in spellings or versions that nothing is kept for, its `NegotiationTable` and the
/// templates of its answers are kept too, so that neither costs a look at the store.
package final class RenderedAnswers: Sendable {
    // All of it is touched under the lock only.
    struct State: @unchecked Sendable {
        var answers: [Int: PackedAnswer] = [:]
        var apps: [AppID: AppAnswers] = [:]
        var tables: [AppID: NegotiationTable] = [:]
        var doorkeeper = Doorkeeper(capacity: 16384)
        /// In the order in which they are looked at for eviction.
        var turns: [PackedAnswer] = []
        var hand = 0
        var bytes = 0
        var renderings: [Rendering.Key: Rendering] = [:]
        /// Bytes of the first answers, until they are enough for a sample.
        var firstBytes: [UInt8] = []
        var sample: Sample?
    }

    /// Answers of more bytes are kept as they are: unpacking them would take longer than all else.
    private static let mostPacked = 32 << 10

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
    /// - Parameters:
    ///   - fetch: the request, where it is known what it asks of which app.
    ///   - route: the route's name, for metrics.
    func response(
        to request: Request, _ fetch: (app: AppID, request: FetchRequest)? = nil, by route: String,
        _ render: () throws(Failure) -> Outcome
    ) throws(Failure) -> Response {
        guard let spelling = Spelling(of: request, seed: seed) else { return try render().response(to: request) }
        let generation = changes.load(ordering: .acquiring)
        let selected = fetch.flatMap { fetch in self.selected(by: fetch.request, of: fetch.app) }
        let key = selected?.representation.spelling(seed: seed) ?? spelling
        let rendering = Rendering.Key(spelling: key.bytes, generation: generation)
        let (found, awaited) = state.withLock { state -> (PackedAnswer?, Rendering?) in
            if let kept = state.use(key.hash) { return (kept, nil) }
            defer { if state.renderings[rendering] == nil { state.renderings[rendering] = Rendering() } }
            return (nil, state.renderings[rendering])
        }
        let isOfThatMoment = selected.map { $0.app === found?.header.app } ?? true
        if isOfThatMoment, let kept = found.flatMap({ CacheableAnswer($0, spelled: key) }) { return try kept.response(to: request) }
        if let kept = awaited?.wait() { return try kept.response(to: request) }
        guard found == nil, awaited == nil else { return try render().response(to: request) }
        do throws(Failure) {
            let known = selected.flatMap { self.completed($0.representation, $0.app, key, by: route) }
            let outcome = if let known { known } else { try render() }
            keep(outcome, spelling, since: generation)
            end(rendering, outcome)
            return try outcome.response(to: request)
        } catch {
            end(rendering, nil)
            throw error
        }
    }

    /// What a fetch selects, where that can be told from memory, and the answers among which it is to be looked for: those of a later
    /// moment may be other ones.
    func selected(by fetch: FetchRequest, of app: AppID) -> (representation: SelectedRepresentation, app: AppAnswers)? {
        let (table, answers) = state.withLock { ($0.tables[app], $0.apps[app]) }
        guard let table, let answers, case .representation(let selected) = table.select(fetch) else { return nil }
        return (selected, answers)
    }

    /// Whether a fetch is known to be for a version that is older than every set.
    func isAbsent(_ fetch: FetchRequest, of app: AppID) -> Bool {
        guard let table = state.withLock({ $0.tables[app] }), case .absent = table.select(fetch) else { return false }
        return true
    }

    /// The template of what is selected, where one is kept.
    func template(of selected: SelectedRepresentation, _ unpacker: Unpacker) -> (template: AnswerTemplate, app: AppAnswers)? {
        let key = selected.templateSpelling(seed: seed)
        guard let packed = answer(at: key.hash), let kept = packed.unpacked(by: unpacker), kept.isKept(for: key),
            let template = AnswerTemplate(kept.body)
        else { return nil }
        return (template, packed.header.app)
    }

    private func completed(
        _ selected: SelectedRepresentation, _ app: AppAnswers, _ key: Spelling, by route: String
    ) -> Outcome? {
        guard let template = Unpacker().flatMap({ template(of: selected, $0) }), template.app === app,
            let answer = template.template.completed(as: selected, prefix: key.bytes, by: route)
        else { return nil }
        return .answer(answer, of: selected.app, Selection(representation: selected, making: nil))
    }

    /// Replaces what is kept of an app, in one step, by what it is now: of what was asked for again since it was rendered it is made
    /// anew, the rest is dropped. Until then the former answers are given; after it returns, no fetch is answered with them.
    ///
    /// To be called by one thread at a time for an app.
    /// - Parameter render: what the route of that name says to a request.
    func refresh(_ app: AppID, _ render: (_ request: Request, _ route: String) -> Outcome?) {
        let (wanted, hasTable, generation) = state.withLock { state in
            // Whatever is being rendered may have read what was before.
            (state.wanted(of: app), state.tables[app] != nil, changes.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue)
        }
        let unpacker = wanted.isEmpty ? nil : Unpacker()
        let fresh = wanted.compactMap { former -> (PackedAnswer.Contents, NegotiationTable?, uses: UInt8)? in
            guard let unpacker, let route = former.answer.header.route, let key = former.answer.spelling(by: unpacker),
                let request = key.request, let outcome = render(request, route),
                case .answer(let answer, _, let selection) = outcome,
                let contents = contents(answer.replacingPrefix(key.bytes), at: key.hash)
            else { return nil }
            return (contents, hasTable ? selection?.making?.table : nil, former.uses)
        }
        state.withLock { state in
            state.drop(app)
            guard changes.load(ordering: .acquiring) == generation else { return }
            for (contents, table, uses) in fresh {
                state.keep(contents, of: app, uses: uses, within: budget)
                if let table { state.keep(table, within: budget) }
            }
        }
    }

    /// Drops what is kept of an app. After it returns, no fetch is answered with what was rendered before.
    package func drop(_ app: AppID) {
        state.withLock { state in
            changes.wrappingAdd(1, ordering: .releasing)
            state.drop(app)
        }
    }

    /// Drops what is kept of all apps.
    package func dropAll() {
        state.withLock { state in
            changes.wrappingAdd(1, ordering: .releasing)
            for app in Array(state.apps.keys) { state.drop(app) }
        }
    }

    private func keep(_ outcome: Outcome, _ spelling: Spelling, since generation: Int) {
        guard case .answer(let answer, let app, let selection) = outcome else { return }
        guard let selection else {
            return keep(answer.replacingPrefix(spelling.bytes), at: spelling.hash, of: app, since: generation)
        }
        let key = selection.representation.spelling(seed: seed)
        keep(answer, at: key.hash, of: app, since: generation)
        guard let (template, table) = selection.making else { return }
        let templateKey = selection.representation.templateSpelling(seed: seed)
        let isAskedForAgain = state.withLock { $0.doorkeeper.hasSeen(templateKey.hash) }
        if isAskedForAgain {
            let kept = PreparedAnswer(prefix: templateKey.bytes, fields: [:], validators: 0, body: template.encoded)
            keep(kept, at: templateKey.hash, of: app, since: generation)
        }
        // Who asks in the simplest way for the one version that an app has needs no table.
        guard isAskedForAgain || spelling.bytes != key.bytes else { return }
        state.withLock { state in
            guard changes.load(ordering: .acquiring) == generation else { return }
            state.keep(table, within: budget)
        }
    }

    private func keep(_ answer: PreparedAnswer, at hash: Int, of app: AppID, since generation: Int) {
        guard let contents = contents(answer, at: hash) else { return }
        state.withLock { state in
            guard changes.load(ordering: .acquiring) == generation, state.admits(contents, within: budget) else { return }
            state.keep(contents, of: app, within: budget)
        }
    }

    /// What is kept of an answer; nil where it is too large for the budget.
    private func contents(_ answer: PreparedAnswer, at hash: Int) -> PackedAnswer.Contents? {
        let sample = answer.bytes.count > Self.mostPacked ? nil : state.withLock { $0.sample(with: answer.bytes) }
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
        rendering?.end(outcome?.cacheable)
    }
}

extension PreparedAnswer {
    /// Whether it is the one of that key, and not of another with the same hash.
    func isKept(for key: RenderedAnswers.Spelling) -> Bool {
        bytes.span.extracting(layout.prefix).isEqual(to: key.bytes)
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
