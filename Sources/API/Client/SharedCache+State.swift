import Dispatch
import HTTP
import QuickActions
import Shortcuts
import Synchronization

extension SharedCache {
    /// The time between two changes of an app. Answers rendered in it are valid until it ends.
    final class Generation: Sendable {
        let app: AppID
        private let hasEnded = Atomic<Bool>(false)
        private let leastRevision = Atomic<Int64>(-1)

        init(of app: AppID) {
            self.app = app
        }

        /// Event loops read it without a lock before they send their own copy.
        var isCurrent: Bool { !hasEnded.load(ordering: .acquiring) }

        func end() { hasEnded.store(true, ordering: .releasing) }

        /// The least revision of the app in this generation's content; -1 while it has no content.
        var revision: Int64 { leastRevision.load(ordering: .acquiring) }

        /// Whether content rendered from the app at that revision belongs to the generation. The first content decides: a worker may read
        /// another node's change before this node is notified of it, and content rendered before that change is then obsolete.
        ///
        /// Called under the lock of `SharedCache`.
        fileprivate func admits(_ revision: Int64) -> Bool {
            if self.revision < 0 { leastRevision.store(revision, ordering: .releasing) }
            return revision >= self.revision
        }
    }

    /// The state that the lock of `SharedCache` guards.
    struct State: Sendable {
        enum Content: Sendable {
            /// With the simplest fetch that selects it, for `refresh`.
            case answer(PreparedAnswer, to: FetchRequest)
            case template(AnswerTemplate, key: [UInt8])
            case table(NegotiationTable)

            var cost: Int {
                switch self {
                case .answer(let answer, to: _): answer.bytes.count + MemoryLayout<Entry>.stride + 128
                case .template(let template, let key): template.cost + key.count
                case .table(let table): table.cost
                }
            }
        }

        struct Entry: Sendable {
            let generation: Generation
            let content: Content
        }

        /// An app with cached content or renderings in progress. Other apps have no entry.
        struct AppEntry: Sendable {
            let generation: Generation
            /// The hashes of the app's cached content.
            var hashes: Set<Int> = []
            /// The hashes of the templates that were rendered: one is cached when it is rendered again.
            var templates: Set<Int> = []
            /// By key. A change removes the renderings that began before it: their results are not cached, and no other request waits for
            /// them.
            var renderings: [[UInt8]: InFlightRendering] = [:]
        }

        /// By the hash of the key.
        private var cache: ClockCache<Int, Entry>
        private var apps: [AppID: AppEntry] = [:]

        init(budget: Int) {
            cache = ClockCache(capacity: budget)
        }

        var bytes: Int { cache.cost }
        var appCount: Int { apps.count }
    }
}

extension SharedCache.State {
    mutating func use(_ hash: Int) -> Entry? { cache.value(for: hash) }

    func generation(of app: AppID) -> SharedCache.Generation? { apps[app]?.generation }

    /// Whether content rendered from the app at that revision may be cached; see `Generation.admits`.
    func admits(_ revision: Int64, of app: AppID) -> Bool { apps[app]?.generation.admits(revision) ?? true }

    /// Whether the template was rendered before in the app's generation. Must be called while the rendering is in flight.
    mutating func hasRendered(_ template: Int, of app: AppID) -> Bool {
        if let count = apps[app]?.templates.count, count >= 1024 { apps[app]?.templates = [] }
        return apps[app]?.templates.insert(template).inserted == false
    }

    /// Caches content in the app's generation. Content above a quarter of the budget is not cached.
    /// - Parameter uses: the initial count for CLOCK.
    mutating func insert(_ content: Content, at hash: Int, of app: AppID, uses: UInt8 = 0) {
        guard content.cost <= cache.capacity / 4 else { return }
        let generation = apps[app]?.generation ?? SharedCache.Generation(of: app)
        apps[app, default: AppEntry(generation: generation)].hashes.insert(hash)
        for removed in cache.insert(Entry(generation: generation, content: content), for: hash, cost: content.cost, uses: uses)
        where removed.key != hash || removed.value.generation !== generation {
            apps[removed.value.generation.app]?.hashes.remove(removed.key)
            forgetIfUnused(removed.value.generation.app)
        }
    }

    /// Caches the table, merged with the cached table of the same generation unless the result is too large.
    mutating func keep(_ table: NegotiationTable, at hash: Int) {
        var previous: NegotiationTable?
        if let entry = cache.entry(for: hash)?.value, case .table(let table) = entry.content, entry.generation === generation(of: table.app)
        {
            previous = table
        }
        let merged = previous.map(table.merging).flatMap { $0.cost <= cache.capacity / 4 ? $0 : nil } ?? table
        insert(.table(merged), at: hash, of: table.app)
    }

    // MARK: - Renderings

    /// The rendering for the key in the app's generation; a new one if there is none.
    mutating func rendering(for key: [UInt8], of app: AppID) -> (rendering: InFlightRendering, isNew: Bool) {
        if let rendering = apps[app]?.renderings[key] { return (rendering, false) }
        let rendering = InFlightRendering()
        apps[app, default: AppEntry(generation: SharedCache.Generation(of: app))].renderings[key] = rendering
        return (rendering, true)
    }

    /// Must be called once when a rendering has ended.
    /// - Parameter keep: caches its result; not called if the app has changed since it began.
    mutating func end(_ rendering: InFlightRendering, for key: [UInt8], of app: AppID, keep: (inout Self) -> Void) {
        guard apps[app]?.renderings[key] === rendering else { return }
        keep(&self)
        apps[app]?.renderings[key] = nil
        forgetIfUnused(app)
    }

    // MARK: - Changes

    /// Results of renderings that have begun are no longer cached. Cached answers are served until `drop`.
    /// - Returns: the fetches of at most `refreshLimit` answers to render again: those that were used since they were rendered, with their
    ///   new counts for CLOCK. Nil if nothing is cached of the app.
    mutating func beginChange(of app: AppID) -> (
        generation: SharedCache.Generation, wanted: [(fetch: FetchRequest, hash: Int, uses: UInt8)]
    )? {
        apps[app]?.renderings = [:]
        forgetIfUnused(app)
        guard let state = apps[app] else { return nil }
        let wanted = state.hashes.lazy.compactMap { [cache] hash -> (fetch: FetchRequest, hash: Int, uses: UInt8)? in
            guard let entry = cache.entry(for: hash), entry.uses > 0, case .answer(_, let fetch) = entry.value.content else { return nil }
            return (fetch, hash, entry.uses - 1)
        }
        return (state.generation, Array(wanted.prefix(Self.refreshLimit)))
    }

    /// Ends the app's generation and drops its cached content.
    /// - Parameter keepingRenderings: whether the renderings in progress began after the change.
    mutating func drop(_ app: AppID, keepingRenderings: Bool = false) {
        guard let previous = apps.removeValue(forKey: app) else { return }
        previous.generation.end()
        for hash in previous.hashes { cache.remove(hash) }
        guard keepingRenderings, !previous.renderings.isEmpty else { return }
        apps[app] = AppEntry(generation: SharedCache.Generation(of: app), renderings: previous.renderings)
    }

    mutating func dropAll() {
        for app in apps.values { app.generation.end() }
        apps = [:]
        cache.removeAll()
    }

    /// Removes the entry of an app without cached content and renderings. Ends its generation, because no later change could end it, and
    /// event loops may still have copies.
    private mutating func forgetIfUnused(_ app: AppID) {
        guard let state = apps[app], state.hashes.isEmpty, state.renderings.isEmpty else { return }
        state.generation.end()
        apps[app] = nil
    }

    private static let refreshLimit = 16
}

/// A rendering in progress. Workers whose requests select the same answer wait for its result.
final class InFlightRendering: Sendable {
    private let isDone = DispatchGroup()
    private let result = Mutex(Result.notShared)

    /// The result for the requests that waited.
    enum Result: Sendable {
        case answer(PreparedAnswer)
        /// From a stale snapshot.
        case lastKnown(PreparedAnswer)
        case failure(Failure)
        /// Each request renders for itself.
        case notShared
    }

    init() {
        isDone.enter()
    }

    /// Must be called once.
    func end(_ result: Result) {
        self.result.withLock { $0 = result }
        isDone.leave()
    }

    /// Blocks until `end` is called.
    func wait() -> Result {
        isDone.wait()
        return result.withLock { $0 }
    }
}
