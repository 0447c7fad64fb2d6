import HTTP
import QuickActions
import Shortcuts
import Synchronization

/// The answers that all event loops share, compressed and bounded in bytes; what each loop is asked for most it has inflated, as
/// `RecentAnswers`.
///
/// An answer is kept under the key of the simplest request that selects its representation. Where an app is asked for in other
/// spellings or versions, its `NegotiationTable` and the templates of its answers are kept too, so that neither costs a look at the
/// store.
package final class RenderedAnswers: Sendable {
    /// An answer and what it was made from and selected by; those are nil where they are kept already.
    struct Rendered {
        let answer: RenderedAnswer
        let representation: SelectedRepresentation
        let source: (template: AnswerTemplate, table: NegotiationTable)?
    }

    /// What became of a request that no answer was kept for.
    enum Outcome {
        /// May be handed out to all who ask alike, until the app changes.
        case answer(Rendered)
        case response(Response)
    }

    let seed = Int.random(in: .min ... .max)
    /// What the inflated answers of one event loop may take, in bytes.
    let loopBudget: Int
    private let state: Mutex<State>
    private let compressor = AnswerCompressor()
    private let inflatedBytes = Atomic<Int>(0)

    /// - Parameters:
    ///   - budget: in bytes, of which an eighth is for what is inflated.
    ///   - loops: how many event loops share that.
    package init(budget: Int = 64 << 20, loops: Int = 1) {
        loopBudget = budget / 8 / max(1, loops)
        state = Mutex(State(budget: budget - budget / 8))
    }

    package var byteCount: Int { state.withLock { $0.bytes } + inflatedBytes.load(ordering: .relaxed) }

    /// Apps of which something is kept or being rendered.
    var appCount: Int { state.withLock { $0.appCount } }

    /// Told by an event loop of its inflated answers.
    func countInflated(_ bytes: Int) { inflatedBytes.wrappingAdd(bytes, ordering: .relaxed) }

    // MARK: - Looking up

    /// The answer that is kept at a hash, whatever its key is.
    func answer(at hash: Int) -> (answer: CompressedAnswer, generation: Generation)? {
        guard let kept = state.withLock({ $0.use(hash) }), case .answer(let answer) = kept.content else { return nil }
        return (answer, kept.generation)
    }

    /// What a fetch selects, where that can be told from memory, and the generation of the app that this holds for.
    func selection(by fetch: FetchRequest, of app: AppID) -> (representation: SelectedRepresentation, generation: Generation)? {
        guard let (table, generation) = table(of: app), case .representation(let selected) = table.select(fetch) else { return nil }
        return (selected, generation)
    }

    /// Whether a fetch is known to be for a version that is older than every set.
    func isAbsent(_ fetch: FetchRequest, of app: AppID) -> Bool {
        if let (table, _) = table(of: app), case .absent = table.select(fetch) { true } else { false }
    }

    /// The template of what is selected, where one is kept.
    func template(of selected: SelectedRepresentation) -> (template: AnswerTemplate, generation: Generation)? {
        let key = selected.templateKey(seed: seed)
        guard let kept = state.withLock({ $0.use(key.hash) }), case .template(let template, key: let templateKey) = kept.content,
            templateKey == key.bytes
        else { return nil }
        return (template, kept.generation)
    }

    private func table(of app: AppID) -> (NegotiationTable, Generation)? {
        let key = NegotiationTable.key(of: app, seed: seed)
        guard let kept = state.withLock({ $0.use(key.hash) }), case .table(let table) = kept.content, table.app == app else { return nil }
        return (table, kept.generation)
    }

    // MARK: - Rendering

    /// The answer to a request: what is kept, or what another worker is at for one like it, or else what `render` makes, which is
    /// kept for the next.
    func response(
        to request: Request, _ fetch: FetchRequest, of app: AppID, _ render: () throws(Failure) -> Outcome
    ) throws(Failure) -> Response {
        guard let spelling = AnswerKey(of: request, seed: seed) else { return try render().response(to: request) }
        let selection = selection(by: fetch, of: app)
        let key = selection?.representation.key(seed: seed) ?? spelling
        // In one step, so that of many who come together only the first renders.
        let (found, underWay) = state.withLock { state -> (State.Kept?, (Rendering, isNew: Bool)?) in
            if let kept = state.use(key.hash) { return (kept, nil) }
            return (nil, state.rendering(for: key.bytes, of: app))
        }
        guard let (rendering, isNew) = underWay else {
            let isOfThatMoment = selection.map { $0.generation === found?.generation } ?? true
            guard isOfThatMoment, let answer = found.flatMap({ RenderedAnswer($0, for: key) }) else {
                return try render().response(to: request)
            }
            return try answer.response(to: request)
        }
        guard isNew else {
            if let answer = rendering.wait() { return try answer.response(to: request) }
            return try render().response(to: request)
        }
        do throws(Failure) {
            let completed = selection.flatMap { self.completed($0.representation, $0.generation) }
            let outcome = if let completed { Outcome.answer(completed) } else { try render() }
            end(rendering, for: key, of: app, outcome, askedAs: spelling)
            return try outcome.response(to: request)
        } catch {
            end(rendering, for: key, of: app, nil, askedAs: spelling)
            throw error
        }
    }

    private func completed(_ selected: SelectedRepresentation, _ generation: Generation) -> Rendered? {
        guard let kept = template(of: selected), kept.generation === generation, let answer = kept.template.completed(as: selected)
        else { return nil }
        return Rendered(answer: answer, representation: selected, source: nil)
    }

    private func compressed(_ rendered: Rendered) -> (answer: CompressedAnswer, key: AnswerKey) {
        let key = rendered.representation.key(seed: seed)
        let prepared = rendered.answer.prepared(for: key, rendered.representation.resource)
        return (compressor.compress(prepared, to: rendered.representation.fetch), key)
    }

    private func end(_ rendering: Rendering, for key: AnswerKey, of app: AppID, _ outcome: Outcome?, askedAs spelling: AnswerKey) {
        defer { rendering.end(outcome?.answer) }
        guard case .answer(let rendered)? = outcome else {
            return state.withLock { $0.end(rendering, for: key.bytes, of: app) { _ in } }
        }
        let (answer, answerKey) = compressed(rendered)
        let templateKey = rendered.representation.templateKey(seed: seed)
        state.withLock { state in
            state.end(rendering, for: key.bytes, of: app) { state in
                if let (template, table) = rendered.source {
                    let isNeededAgain = state.doorkeeper.hasSeen(templateKey.hash)
                    if isNeededAgain { state.admit(.template(template, key: templateKey.bytes), at: templateKey.hash, of: app) }
                    // Who asks in the simplest way for the one version that an app has needs no table.
                    if isNeededAgain || spelling.bytes != answerKey.bytes {
                        state.keep(table, at: NegotiationTable.key(of: app, seed: seed).hash)
                    }
                }
                // Last, so that the others do not evict it.
                state.admit(.answer(answer), at: answerKey.hash, of: app)
            }
        }
    }

    // MARK: - Changes

    /// Replaces what is kept of an app, in one step, by what it is now: what was asked for again since it was rendered is made anew,
    /// the rest is dropped. Until then the former answers are given; after it returns, no fetch is answered with them.
    ///
    /// To be called by one thread at a time for an app.
    /// - Parameter render: nil where nothing can be kept for the fetch.
    func refresh(_ app: AppID, _ render: (FetchRequest) -> Rendered?) {
        let tableHash = NegotiationTable.key(of: app, seed: seed).hash
        let (change, hasTable) = state.withLock { ($0.beginChange(of: app), $0.use(tableHash) != nil) }
        guard let change else { return }
        let fresh = change.wanted.compactMap { former -> (CompressedAnswer, Int, NegotiationTable?, uses: UInt8)? in
            guard let rendered = render(former.answer.fetch) else { return nil }
            let (answer, key) = compressed(rendered)
            // What selects another representation now is found by the table only.
            let table = hasTable || key.hash != former.hash ? rendered.source?.table : nil
            return (answer, key.hash, table, former.uses)
        }
        state.withLock { state in
            // Who dropped the generation meanwhile knew of a later change.
            guard state.generation(of: app) === change.generation else { return }
            state.drop(app, keepingRenderings: true)
            for (answer, hash, table, uses) in fresh {
                state.insert(.answer(answer), at: hash, of: app, uses: uses)
                if let table { state.keep(table, at: tableHash) }
            }
        }
    }

    /// Drops what is kept of an app. After it returns, no fetch is answered with what was rendered before.
    package func drop(_ app: AppID) { state.withLock { $0.drop(app) } }

    /// Drops what is kept of all apps.
    package func dropAll() { state.withLock { $0.dropAll() } }
}

extension RenderedAnswer {
    /// Nil where it is kept for another key of the same hash.
    fileprivate init?(_ kept: RenderedAnswers.State.Kept, for key: AnswerKey) {
        guard case .answer(let answer) = kept.content, let prepared = Inflater().flatMap({ answer.prepared(by: $0) }),
            prepared.isKept(for: key)
        else { return nil }
        self.init(prepared)
    }
}

extension RenderedAnswers.Outcome {
    /// What all who ask alike may be given.
    fileprivate var answer: RenderedAnswer? {
        if case .answer(let rendered) = self { rendered.answer } else { nil }
    }

    fileprivate func response(to request: Request) throws(Failure) -> Response {
        switch self {
        case .answer(let rendered): try rendered.answer.response(to: request)
        case .response(let response): response
        }
    }
}
