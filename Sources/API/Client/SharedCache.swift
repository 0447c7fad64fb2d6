import HTTP
import QuickActions
import Shortcuts
import Synchronization

/// The cache of prepared answers that all event loops share, bounded in bytes. Each loop copies its most used answers into its
/// `LoopCache`. Any thread may call its functions.
///
/// An answer is cached under the key of its representation (`SelectedRepresentation.key`). For requests with other spellings and versions,
/// the app's `NegotiationTable` and the answers' templates are cached too, so that they do not need the store.
package final class SharedCache: Sendable {
    /// The result of rendering.
    enum Outcome {
        /// Cacheable until the app changes.
        case answer(CacheEntry)
        /// From a stale snapshot: shared with the requests that wait for it, and not cached.
        case lastKnown(PreparedAnswer)
        /// Only for this request.
        case response(Response)
    }

    /// What is cached for a fetch.
    enum Lookup: Sendable {
        case answer(PreparedAnswer, Generation)
        /// The template of the representation.
        case template(AnswerTemplate, Selection)
        /// Only which representation the fetch selects.
        case representation(Selection)
        /// The version is older than every set.
        case absent
        /// Nothing, or what may be older than the revision that the fetch requires.
        case unknown
    }

    /// The representation that a fetch selects in a generation.
    struct Selection: Sendable {
        let representation: SelectedRepresentation
        let key: AnswerKey
        let generation: Generation
    }

    /// Event loops answer from memory only while it is confirmed.
    let freshness: Freshness
    let seed = Int.random(in: .min ... .max)
    /// The budget of one event loop's copies, in bytes.
    let loopBudget: Int
    private let state: Mutex<State>
    private let loopBytes = Atomic<Int>(0)

    /// - Parameters:
    ///   - budget: in bytes; an eighth of it is for the copies of the event loops.
    ///   - loops: the number of event loops, which share that eighth.
    ///   - freshness: the store's.
    package init(budget: Int = 256 << 20, loops: Int = 1, freshness: Freshness = .permanent) {
        self.freshness = freshness
        loopBudget = budget / 8 / max(1, loops)
        state = Mutex(State(budget: budget - budget / 8))
    }

    package var byteCount: Int { state.withLock { $0.bytes } + loopBytes.load(ordering: .relaxed) }

    /// The number of apps of which something is cached or being rendered.
    var appCount: Int { state.withLock { $0.appCount } }

    /// Adds to the size of all loops' copies; event loops call it.
    func countLoopBytes(_ bytes: Int) { loopBytes.wrappingAdd(bytes, ordering: .relaxed) }

    // MARK: - Lookup

    /// The answer cached at a hash; the caller compares its key.
    func answer(at hash: Int) -> (answer: PreparedAnswer, generation: Generation)? {
        guard let entry = state.withLock({ $0.use(hash) }), case .answer(let answer, to: _) = entry.content else { return nil }
        return (answer, entry.generation)
    }

    /// Looks a fetch up whose own spelling is not cached: which representation the app's table selects, and what is cached of it.
    func lookUp(_ fetch: FetchRequest, of app: AppID) -> Lookup {
        let hash = NegotiationTable.hash(of: app, seed: seed)
        guard let entry = state.withLock({ $0.use(hash) }), case .table(let table) = entry.content, table.app == app,
            fetch.leastRevision <= entry.generation.revision || freshness.isPermanent
        else { return .unknown }
        let generation = entry.generation
        switch table.select(fetch) {
        case .absent: return .absent
        case .unknown: return .unknown
        case .representation(let selected):
            let key = selected.key(seed: seed)
            if let found = answer(at: key.hash), found.generation === generation, found.answer.isKept(for: key) {
                return .answer(found.answer, generation)
            }
            let selection = Selection(representation: selected, key: key, generation: generation)
            let templateKey = selected.templateKey(seed: seed)
            guard let entry = state.withLock({ $0.use(templateKey.hash) }), case .template(let template, key: let bytes) = entry.content,
                bytes == templateKey.bytes, entry.generation === generation
            else { return .representation(selection) }
            return .template(template, selection)
        }
    }

    // MARK: - Rendering

    /// The answer to a request: the cached one, that of a rendering in progress, or one made from a template or by `render`, which is then
    /// cached. Blocks while another worker renders it.
    /// - Parameters:
    ///   - spelling: the request's own key; nil if it has none.
    ///   - lookup: the result of `lookUp` for the fetch. It may be from a generation that has ended since.
    ///   - isRecent: whether every rendering in progress is as new as the fetch requires, if the store answers.
    func response(
        to request: Request, _ fetch: FetchRequest, of app: AppID, _ spelling: AnswerKey?, _ lookup: Lookup,
        isRecent: Bool = false, _ render: () throws(Failure) -> Outcome
    ) throws(Failure) -> Response {
        if case .answer(let answer, let generation) = lookup, generation.isCurrent { return try answer.response(to: request) }
        // Under one lock, so that only the first of concurrent requests renders.
        let begun = state.withLock { state -> (key: AnswerKey, found: State.Entry?, rendering: InFlightRendering?, isNew: Bool)? in
            let selection = lookup.selection.flatMap { state.generation(of: app) === $0.generation ? $0 : nil }
            guard let key = selection?.key ?? spelling else { return nil }
            if let entry = state.use(key.hash) { return (key, entry, nil, false) }
            let (rendering, isNew) = state.rendering(for: key.bytes, of: app)
            return (key, nil, rendering, isNew)
        }
        guard let begun else { return try render().response(to: request) }
        let key = begun.key
        guard let rendering = begun.rendering else {
            guard case .answer(let answer, to: _)? = begun.found?.content, answer.isKept(for: key) else {
                return try render().response(to: request)
            }
            return try answer.response(to: request)
        }
        guard begun.isNew else {
            // It may have begun before the revision that this fetch asks for.
            guard isRecent || fetch.leastRevision == 0 else { return try render().response(to: request) }
            switch rendering.wait() {
            case .answer(let answer): return try answer.response(to: request)
            case .lastKnown(let answer) where fetch.leastRevision == 0: return try answer.response(to: request)
            case .failure(let failure): throw failure
            case .lastKnown, .notShared: return try render().response(to: request)
            }
        }
        let outcome: Outcome
        do throws(Failure) {
            if case .template(let template, let selection) = lookup, key.bytes == selection.key.bytes,
                let answer = template.completed(as: selection.representation, key)
            {
                outcome = .answer(
                    CacheEntry(answer: answer, key: key, representation: selection.representation, origin: .template(selection.generation)))
            } else {
                outcome = try render()
            }
        } catch {
            end(rendering, for: key, of: app, .failure(error))
            throw error
        }
        end(rendering, for: key, of: app, .success(outcome))
        // A failed precondition of this request (412) does not concern the requests that waited.
        return try outcome.response(to: request)
    }

    private func end(_ rendering: InFlightRendering, for key: AnswerKey, of app: AppID, _ result: Result<Outcome, Failure>) {
        var template: (content: AnswerTemplate, key: AnswerKey, generation: Generation)?
        state.withLock { state in
            state.end(rendering, for: key.bytes, of: app) { state in
                guard case .success(.answer(let entry)) = result else { return }
                switch entry.origin {
                case .template(let generation):
                    guard generation === state.generation(of: app) else { return }
                case .store(let rendered, let table):
                    guard state.admits(table.revision, of: app) else { return }
                    let templateKey = entry.representation.templateKey(seed: seed)
                    // Most menus are fetched by one version in one coding, and need no template again.
                    if state.hasRendered(templateKey.hash, of: app), let generation = state.generation(of: app) {
                        template = (rendered, templateKey, generation)
                    }
                    state.keep(table, at: NegotiationTable.hash(of: app, seed: seed))
                }
                // Last, so that the table does not evict it.
                state.insert(.answer(entry.answer, to: entry.representation.fetch), at: entry.key.hash, of: app)
            }
        }
        rendering.end(result.shared)
        guard let template else { return }
        let prepared = template.content.prepared
        state.withLock { state in
            guard state.generation(of: app) === template.generation else { return }
            state.insert(.template(prepared, key: template.key.bytes), at: template.key.hash, of: app)
        }
    }

    // MARK: - Changes

    /// Replaces the cached content of an app atomically after a change: answers that were used since they were rendered are rendered again,
    /// all others are dropped. Meanwhile the previous answers are served; after it returns, no fetch gets one of them.
    ///
    /// One thread at a time may call it for an app.
    /// - Parameter render: renders fetches from one state of the app, in their order, up to the first that has no cacheable answer.
    func refresh(_ app: AppID, _ render: ([FetchRequest]) -> [CacheEntry]) {
        guard let change = state.withLock({ $0.beginChange(of: app) }) else { return }
        let entries = change.wanted.isEmpty ? [] : render(change.wanted.map(\.fetch))
        let fresh = zip(entries, change.wanted.map(\.uses))
        state.withLock { state in
            // A generation that was dropped meanwhile was dropped by a later change.
            guard state.generation(of: app) === change.generation else { return }
            state.drop(app, keepingRenderings: true)
            for (entry, uses) in fresh {
                state.insert(.answer(entry.answer, to: entry.representation.fetch), at: entry.key.hash, of: app, uses: uses)
                if let table = entry.table { state.keep(table, at: NegotiationTable.hash(of: app, seed: seed)) }
            }
            if let revision = entries.first?.table?.revision { _ = state.admits(revision, of: app) }
        }
    }

    /// Drops the cached content of an app. After it returns, no fetch gets an answer rendered before.
    package func drop(_ app: AppID) { state.withLock { $0.drop(app) } }

    /// Drops the cached content of all apps.
    package func dropAll() { state.withLock { $0.dropAll() } }
}

/// A cacheable answer, and what else is cached with it.
struct CacheEntry {
    enum Origin {
        case store(AnswerTemplate, NegotiationTable)
        /// Completed from a cached template of that generation.
        case template(SharedCache.Generation)
    }

    let answer: PreparedAnswer
    /// The key of the representation.
    let key: AnswerKey
    let representation: SelectedRepresentation
    let origin: Origin

    fileprivate var table: NegotiationTable? { if case .store(_, let table) = origin { table } else { nil } }
}

extension PreparedAnswer {
    /// Evaluates the preconditions: 412 if `If-Match` fails, 304 if `If-None-Match` does (RFC 9110 section 13.2.2).
    func response(to request: Request) throws(Failure) -> Response {
        let etag = etag
        guard Precondition.ifMatch(request.fields, current: etag).allows else {
            throw Failure(
                .preconditionFailed,
                "The entity tag is \(etag?.description ?? "") now, which If-Match does not list. Send the request again without If-Match."
            )
        }
        return Response(Precondition.ifNoneMatch(request.fields, current: etag) == .fails ? notModified : self)
    }
}

extension SharedCache.Lookup {
    fileprivate var selection: SharedCache.Selection? {
        switch self {
        case .template(_, let selection), .representation(let selection): selection
        case .answer, .absent, .unknown: nil
        }
    }
}

extension Result<SharedCache.Outcome, Failure> {
    /// The result for the requests that waited. If the store did not answer, they do not each wait for it once more.
    fileprivate var shared: InFlightRendering.Result {
        switch self {
        case .success(.answer(let entry)): .answer(entry.answer)
        case .success(.lastKnown(let answer)): .lastKnown(answer)
        case .failure(let failure) where [.storageUnavailable, .noShortcutSet].contains(failure.code): .failure(failure)
        case .success(.response), .failure: .notShared
        }
    }
}

extension SharedCache.Outcome {
    fileprivate func response(to request: Request) throws(Failure) -> Response {
        switch self {
        case .answer(let entry): try entry.answer.response(to: request)
        case .lastKnown(let answer): try answer.response(to: request)
        case .response(let response): response
        }
    }
}
