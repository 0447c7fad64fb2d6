import HTTP
import QuickActions
import Shortcuts
import Synchronization

/// The cache of compressed answers that all event loops share, bounded in bytes. Each loop has its most used answers inflated in
/// `RecentAnswers`. Any thread may call its functions.
///
/// An answer is cached under the key of its representation (`SelectedRepresentation.key`). For requests with other spellings and versions,
/// the app's `NegotiationTable` and the answers' templates are cached too, so that they do not need the store.
package final class RenderedAnswers: Sendable {
    /// An answer with the template and table it was rendered from; these are nil if they are cached already.
    struct Rendered {
        let answer: RenderedAnswer
        let representation: SelectedRepresentation
        let source: (template: AnswerTemplate, table: NegotiationTable)?
        /// The generation of the cached template that it was completed from.
        var generation: Generation?
    }

    /// The result of rendering.
    enum Outcome {
        /// Cacheable until the app changes.
        case answer(Rendered)
        /// From a stale snapshot: also for those who wait for it, and not cached.
        case lastKnown(RenderedAnswer)
        /// Only for this request.
        case response(Response)
    }

    /// Event loops answer from memory only while it is confirmed.
    let freshness: Freshness
    let seed = Int.random(in: .min ... .max)
    /// The budget of one event loop's inflated answers, in bytes.
    let loopBudget: Int
    private let state: Mutex<State>
    private let compressor = AnswerCompressor()
    private let inflatedBytes = Atomic<Int>(0)

    /// - Parameters:
    ///   - budget: in bytes; an eighth of it is for inflated answers.
    ///   - loops: the number of event loops, which share that eighth.
    ///   - freshness: the store's.
    package init(budget: Int = 64 << 20, loops: Int = 1, freshness: Freshness = .permanent) {
        self.freshness = freshness
        loopBudget = budget / 8 / max(1, loops)
        state = Mutex(State(budget: budget - budget / 8))
    }

    package var byteCount: Int { state.withLock { $0.bytes } + inflatedBytes.load(ordering: .relaxed) }

    /// The number of apps of which something is cached or being rendered.
    var appCount: Int { state.withLock { $0.appCount } }

    /// Adds to the size of all inflated answers; event loops call it.
    func countInflated(_ bytes: Int) { inflatedBytes.wrappingAdd(bytes, ordering: .relaxed) }

    // MARK: - Lookup

    /// The answer cached at a hash; the caller compares its key.
    func answer(at hash: Int) -> (answer: CompressedAnswer, generation: Generation)? {
        guard let kept = state.withLock({ $0.use(hash) }), case .answer(let answer) = kept.content else { return nil }
        return (answer, kept.generation)
    }

    /// The representation that a fetch selects, in the returned generation; nil if the app's table is not cached, lacks the version, or
    /// may be older than the revision that the fetch asks for.
    func selection(by fetch: FetchRequest, of app: AppID) -> (representation: SelectedRepresentation, generation: Generation)? {
        guard let (table, generation) = table(of: app, for: fetch), case .representation(let selected) = table.select(fetch)
        else { return nil }
        return (selected, generation)
    }

    /// Whether the cached table says that no set is in effect for the fetch's version.
    func isAbsent(_ fetch: FetchRequest, of app: AppID) -> Bool {
        if let (table, _) = table(of: app, for: fetch), case .absent = table.select(fetch) { true } else { false }
    }

    /// The cached template of the representation.
    func template(of selected: SelectedRepresentation) -> (template: AnswerTemplate, generation: Generation)? {
        let key = selected.templateKey(seed: seed)
        guard let kept = state.withLock({ $0.use(key.hash) }), case .template(let template, key: let templateKey) = kept.content,
            templateKey == key.bytes
        else { return nil }
        return (template, kept.generation)
    }

    private func table(of app: AppID, for fetch: FetchRequest) -> (NegotiationTable, Generation)? {
        let key = NegotiationTable.key(of: app, seed: seed)
        guard let kept = state.withLock({ $0.use(key.hash) }), case .table(let table) = kept.content, table.app == app,
            fetch.leastRevision <= kept.generation.revision || freshness.isPermanent
        else { return nil }
        return (table, kept.generation)
    }

    // MARK: - Rendering

    /// The answer to a request: the cached one, or that of a rendering in progress, or else the result of `render`, which is then cached.
    /// Blocks while another worker renders it.
    func response(
        to request: Request, _ fetch: FetchRequest, of app: AppID, _ render: () throws(Failure) -> Outcome
    ) throws(Failure) -> Response {
        guard let spelling = AnswerKey(of: request, seed: seed) else { return try render().response(to: request) }
        let selection = selection(by: fetch, of: app)
        let key = selection?.representation.key(seed: seed) ?? spelling
        // Under one lock, so that only the first of concurrent requests renders.
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
            // It may have begun before the revision that this fetch asks for.
            guard fetch.leastRevision == 0 else { return try render().response(to: request) }
            switch rendering.wait() {
            case .answer(let answer): return try answer.response(to: request)
            case .failure(let failure): throw failure
            case .own: return try render().response(to: request)
            }
        }
        let outcome: Outcome
        do throws(Failure) {
            let completed = selection.flatMap { self.completed($0.representation, $0.generation) }
            outcome = if let completed { .answer(completed) } else { try render() }
        } catch {
            end(rendering, for: key, of: app, .failure(error), askedAs: spelling)
            throw error
        }
        end(rendering, for: key, of: app, .success(outcome), askedAs: spelling)
        // A failed precondition of this request (412) is nobody else's.
        return try outcome.response(to: request)
    }

    private func completed(_ selected: SelectedRepresentation, _ generation: Generation) -> Rendered? {
        guard let kept = template(of: selected), kept.generation === generation, let answer = kept.template.completed(as: selected)
        else { return nil }
        return Rendered(answer: answer, representation: selected, source: nil, generation: generation)
    }

    private func compressed(_ rendered: Rendered) -> (answer: CompressedAnswer, key: AnswerKey) {
        let key = rendered.representation.key(seed: seed)
        let prepared = rendered.answer.prepared(for: key, rendered.representation.resource)
        return (compressor.compress(prepared, to: rendered.representation.fetch), key)
    }

    private func end(
        _ rendering: Rendering, for key: AnswerKey, of app: AppID, _ result: Result<Outcome, Failure>, askedAs spelling: AnswerKey
    ) {
        defer { rendering.end(result.shared) }
        guard case .success(.answer(let rendered)) = result else {
            return state.withLock { $0.end(rendering, for: key.bytes, of: app) { _ in } }
        }
        let (answer, answerKey) = compressed(rendered)
        let templateKey = rendered.representation.templateKey(seed: seed)
        state.withLock { state in
            state.end(rendering, for: key.bytes, of: app) { state in
                guard rendered.source.map({ state.admits($0.table.revision, of: app) }) ?? true,
                    rendered.generation.map({ $0 === state.generation(of: app) }) ?? true
                else { return }
                if let (template, table) = rendered.source {
                    let isNeededAgain = state.doorkeeper.hasSeen(templateKey.hash)
                    if isNeededAgain { state.admit(.template(template, key: templateKey.bytes), at: templateKey.hash, of: app) }
                    // A request under the representation's own key does not need the table.
                    if isNeededAgain || spelling.bytes != answerKey.bytes {
                        state.keep(table, at: NegotiationTable.key(of: app, seed: seed).hash)
                    }
                }
                // Last, so that template and table do not evict it.
                state.admit(.answer(answer), at: answerKey.hash, of: app)
            }
        }
    }

    // MARK: - Changes

    /// Replaces the cached content of an app atomically after a change: answers that were used since they were rendered are rendered again,
    /// all others are dropped. Meanwhile the former answers are served; after it returns, no fetch gets one of them.
    ///
    /// One thread at a time may call it for an app.
    /// - Parameter render: returns nil if the fetch has no cacheable answer.
    func refresh(_ app: AppID, _ render: (FetchRequest) -> Rendered?) {
        let tableHash = NegotiationTable.key(of: app, seed: seed).hash
        let (change, hasTable) = state.withLock { ($0.beginChange(of: app), $0.use(tableHash) != nil) }
        guard let change else { return }
        var fresh: [(answer: CompressedAnswer, hash: Int, table: NegotiationTable?, revision: Int64, uses: UInt8)] = []
        for former in change.wanted {
            // The others wait for this thread, and a store that does not answer for one does not for the next.
            guard let rendered = render(former.answer.fetch) else { break }
            let (answer, key) = compressed(rendered)
            // A fetch that now selects another representation finds it only by the table.
            let table = hasTable || key.hash != former.hash ? rendered.source?.table : nil
            fresh.append((answer, key.hash, table, rendered.source?.table.revision ?? 0, former.uses))
        }
        state.withLock { state in
            // A generation that was dropped meanwhile was dropped by a later change.
            guard state.generation(of: app) === change.generation else { return }
            state.drop(app, keepingRenderings: true)
            // Another change may have been committed between two of them.
            let revision = fresh.map(\.revision).min()
            for (answer, hash, table, _, uses) in fresh {
                state.insert(.answer(answer), at: hash, of: app, uses: uses)
                if let table { state.keep(table, at: tableHash) }
            }
            if let revision { _ = state.admits(revision, of: app) }
        }
    }

    /// Drops the cached content of an app. After it returns, no fetch gets an answer rendered before.
    package func drop(_ app: AppID) { state.withLock { $0.drop(app) } }

    /// Drops the cached content of all apps.
    package func dropAll() { state.withLock { $0.dropAll() } }
}

extension RenderedAnswer {
    /// Nil if the content is cached under another key with the same hash.
    fileprivate init?(_ kept: RenderedAnswers.State.Kept, for key: AnswerKey) {
        guard case .answer(let answer) = kept.content, let prepared = Inflater().flatMap({ answer.prepared(by: $0) }),
            prepared.isKept(for: key)
        else { return nil }
        self.init(prepared)
    }
}

extension Result<RenderedAnswers.Outcome, Failure> {
    /// What those get who waited for it. Where the store did not answer, they do not each wait for it once more.
    fileprivate var shared: Rendering.Ending {
        switch self {
        case .success(.answer(let rendered)): .answer(rendered.answer)
        case .success(.lastKnown(let answer)): .answer(answer)
        case .failure(let failure) where [.storageUnavailable, .noShortcutSet].contains(failure.code): .failure(failure)
        case .success(.response), .failure: .own
        }
    }
}

extension RenderedAnswers.Outcome {
    fileprivate func response(to request: Request) throws(Failure) -> Response {
        switch self {
        case .answer(let rendered): try rendered.answer.response(to: request)
        case .lastKnown(let answer): try answer.response(to: request)
        case .response(let response): response
        }
    }
}
