import HTTP
import QuickActions
import Shortcuts
import Synchronization

extension RenderedAnswers {
    /// The time of one app between two changes. What was made in it is good until it ends.
    final class Generation: Sendable {
        let app: AppID
        private let hasEnded = Atomic<Bool>(false)

        init(of app: AppID) {
            self.app = app
        }

        /// Asked by event loops without a lock, before they answer with a copy of their own.
        var isCurrent: Bool { !hasEnded.load(ordering: .acquiring) }

        func end() { hasEnded.store(true, ordering: .releasing) }
    }

    /// What the lock of the rendered answers guards.
    struct State: Sendable {
        enum Content: Sendable {
            case answer(CompressedAnswer)
            case template(AnswerTemplate, key: [UInt8])
            case table(NegotiationTable)

            var cost: Int {
                switch self {
                case .answer(let answer): answer.cost
                case .template(let template, let key): template.cost + key.count
                case .table(let table): table.cost
                }
            }
        }

        struct Kept: Sendable {
            let generation: Generation
            let content: Content
        }

        /// An app of which something is kept or being rendered; there is no entry for any other.
        struct AppEntry: Sendable {
            let generation: Generation
            /// Hashes of what is kept of it.
            var hashes: Set<Int> = []
            /// By the key that is rendered for. One that began before a change is not among them any more, so that what it makes is
            /// not kept and nobody else waits for it.
            var renderings: [[UInt8]: Rendering] = [:]
        }

        /// By the hash of the key.
        private var cache: ClockCache<Int, Kept>
        private var apps: [AppID: AppEntry] = [:]
        var doorkeeper = Doorkeeper(capacity: 16384)

        init(budget: Int) {
            cache = ClockCache(capacity: budget)
        }

        var bytes: Int { cache.cost }
        var appCount: Int { apps.count }
    }
}

extension RenderedAnswers.State {
    mutating func use(_ hash: Int) -> Kept? { cache.value(for: hash) }

    func generation(of app: AppID) -> RenderedAnswers.Generation? { apps[app]?.generation }

    /// Keeps something of the app's generation. Where there is no room, it must be asked for a second time: so what anybody can make up
    /// displaces nothing that is used. Nothing may take more than a quarter of the budget.
    mutating func admit(_ content: Content, at hash: Int, of app: AppID) {
        let cost = content.cost
        guard cost <= cache.capacity / 4, cache.hasRoom(for: cost) || doorkeeper.hasSeen(hash) else { return }
        insert(content, at: hash, of: app)
    }

    /// - Parameter uses: how much it is wanted, before anybody has looked it up.
    mutating func insert(_ content: Content, at hash: Int, of app: AppID, uses: UInt8 = 0) {
        guard content.cost <= cache.capacity / 4 else { return }
        let generation = apps[app]?.generation ?? RenderedAnswers.Generation(of: app)
        apps[app, default: AppEntry(generation: generation)].hashes.insert(hash)
        for gone in cache.insert(Kept(generation: generation, content: content), for: hash, cost: content.cost, uses: uses)
        where gone.key != hash || gone.value.generation !== generation {
            apps[gone.value.generation.app]?.hashes.remove(gone.key)
            forgetIfUnused(gone.value.generation.app)
        }
    }

    /// With what is known of other stretches, as far as that is not too large.
    mutating func keep(_ table: NegotiationTable, at hash: Int) {
        var former: NegotiationTable?
        if let kept = cache.entry(for: hash)?.value, case .table(let table) = kept.content, kept.generation === generation(of: table.app) {
            former = table
        }
        let merged = former.map(table.merging).flatMap { $0.cost <= cache.capacity / 4 ? $0 : nil } ?? table
        insert(.table(merged), at: hash, of: table.app)
    }

    // MARK: - Renderings

    /// A rendering for the key that is under way in the app's generation, or a new one that is from now on.
    mutating func rendering(for key: [UInt8], of app: AppID) -> (rendering: Rendering, isNew: Bool) {
        if let rendering = apps[app]?.renderings[key] { return (rendering, false) }
        let rendering = Rendering()
        apps[app, default: AppEntry(generation: RenderedAnswers.Generation(of: app))].renderings[key] = rendering
        return (rendering, true)
    }

    /// To be called once a rendering has ended.
    /// - Parameter keep: keeps what it made; not called where the app has changed since it began.
    mutating func end(_ rendering: Rendering, for key: [UInt8], of app: AppID, keep: (inout Self) -> Void) {
        guard apps[app]?.renderings[key] === rendering else { return }
        keep(&self)
        apps[app]?.renderings[key] = nil
        forgetIfUnused(app)
    }

    // MARK: - Changes

    /// From now on nothing is kept that began to be rendered before. What is kept already is given until `drop`.
    /// - Returns: nil where nothing is kept of the app; else what is to be made anew: what was looked up since it was rendered, as much
    ///   as may be at once, and how much each will be wanted then.
    mutating func beginChange(of app: AppID) -> (
        generation: RenderedAnswers.Generation, wanted: [(answer: CompressedAnswer, hash: Int, uses: UInt8)]
    )? {
        apps[app]?.renderings = [:]
        forgetIfUnused(app)
        guard let state = apps[app] else { return nil }
        let wanted = state.hashes.lazy.compactMap { [cache] hash -> (answer: CompressedAnswer, hash: Int, uses: UInt8)? in
            guard let entry = cache.entry(for: hash), entry.uses > 0, case .answer(let answer) = entry.value.content else { return nil }
            return (answer, hash, entry.uses - 1)
        }
        return (state.generation, Array(wanted.prefix(Self.mostRefreshed)))
    }

    /// Ends the app's generation and drops what is kept of it.
    /// - Parameter keepingRenderings: whether those that are under way began after the change.
    mutating func drop(_ app: AppID, keepingRenderings: Bool = false) {
        guard let former = apps.removeValue(forKey: app) else { return }
        former.generation.end()
        for hash in former.hashes { cache.remove(hash) }
        guard keepingRenderings, !former.renderings.isEmpty else { return }
        apps[app] = AppEntry(generation: RenderedAnswers.Generation(of: app), renderings: former.renderings)
    }

    mutating func dropAll() {
        for app in apps.values { app.generation.end() }
        apps = [:]
        cache.removeAll()
    }

    /// Copies that event loops have are not good any more where no change could end them.
    private mutating func forgetIfUnused(_ app: AppID) {
        guard let state = apps[app], state.hashes.isEmpty, state.renderings.isEmpty else { return }
        state.generation.end()
        apps[app] = nil
    }

    private static let mostRefreshed = 16
}
