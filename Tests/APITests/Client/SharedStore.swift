import HTTP
import QuickActions
import Shortcuts
import Synchronization

@testable import API

/// A store to which other nodes write as well. Their commits are not known here before `catchUp` or a read of the app.
final class SharedStore: AppStore {
    private struct State {
        var stored: [AppID: AppSnapshot] = [:]
        /// The apps as last read here.
        var known: [AppID: AppSnapshot] = [:]
        var isAway = false
        /// Whether apps cannot be read, even if changes can.
        var isUnreadable = false
        var reads = 0
        var catchUps = 0
        /// The revisions for which the observer was called.
        var told: [AppID: Int64] = [:]
        var observer: (@Sendable (AppID) -> Void)?
    }

    let freshness: Freshness
    private let state = Mutex(State())

    init(_ freshness: Freshness = Freshness(isConfirmed: true)) {
        self.freshness = freshness
    }

    /// The numbers of reads of apps and of calls to catch up.
    var asked: (reads: Int, catchUps: Int) { state.withLock { ($0.reads, $0.catchUps) } }

    func observe(_ observer: @escaping @Sendable (AppID) -> Void) { state.withLock { $0.observer = observer } }

    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    func setUnreadable(_ isUnreadable: Bool) { state.withLock { $0.isUnreadable = isUnreadable } }

    /// A commit of another node.
    func put(_ snapshot: AppSnapshot) { state.withLock { $0.stored[snapshot.app.id] = snapshot } }

    /// Does not ask the store while the freshness is confirmed.
    func catchUp() throws(Failure) {
        if !freshness.isConfirmed { try catchUpCompletely() }
    }

    func catchUpCompletely() throws(Failure) {
        let (observer, apps) = try state.withLock { state throws(Failure) in
            state.catchUps += 1
            if state.isAway { throw Self.away }
            let changed = state.stored.filter { state.told[$0] != $1.lastRevision }
            for (id, app) in changed { state.told[id] = app.lastRevision }
            return (state.observer, changed.keys)
        }
        for app in apps { observer?(app) }
    }

    func snapshot(of id: AppID) throws(Failure) -> AppSnapshot? {
        try state.withLock { state throws(Failure) in
            state.reads += 1
            guard state.isAway || state.isUnreadable else {
                state.known[id] = state.stored[id]
                return state.stored[id]
            }
            guard let known = state.known[id] else { throw Self.away }
            return known.asStale
        }
    }

    func snapshot(of id: AppID, effectiveFor version: AppVersion, _ audience: Audience) throws(Failure) -> EffectiveSnapshot? {
        try snapshot(of: id)?.effective(for: version, audience)
    }

    func snapshots(
        of id: AppID, effectiveFor fetches: [(version: AppVersion, audience: Audience)]
    ) throws(Failure) -> [EffectiveSnapshot]? {
        try snapshot(of: id).map { app in fetches.map { app.effective(for: $0.version, $0.audience) } }
    }

    func lastKnown(_ id: AppID) -> AppSnapshot? { state.withLock { $0.known[id]?.asStale } }

    func lastKnown(_ id: AppID, effectiveFor version: AppVersion, _ audience: Audience) -> EffectiveSnapshot? {
        lastKnown(id)?.effective(for: version, audience)
    }

    private static let away = Failure(.storageUnavailable, "away")

    // Not used by the client plane.
    func publishedIDs(among ids: Set<ItemID>, in audience: Audience, of app: AppID) -> Set<ItemID> { [] }
    func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) -> Draft? { nil }
    func apps(_ page: PageRequest, matching query: AppQuery, within scope: Scope) -> Page<App> { Page(whole: []) }
    func app(_ id: AppID) -> App? { nil }
    func putApp(
        _ id: AppID, override: OverrideReason?, by author: Author, change: (AppSnapshot?) throws(Failure) -> App
    ) throws(Failure) -> (app: App, isNew: Bool) { throw Self.away }
    func deleteApp(_ id: AppID, by author: Author, expecting writeCondition: WriteCondition) throws(Failure) { throw Self.away }
}

extension LoopCache {
    /// A loop's cache whose workers have an empty store.
    convenience init(of shared: SharedCache) {
        let routes = ClientRoutes(
            apps: SharedStore(), taps: NoTaps(), reports: NoTaps(), policy: CachePolicy(), cache: shared, clock: NoClock())
        self.init(of: shared, for: routes)
    }

    /// The answer of the loop without a worker.
    func found(for head: borrowing RequestHead, _ bytes: Span<UInt8>) -> PreparedAnswer? {
        if let answer = answer(to: head, bytes) { return answer }
        guard case .answer(let answer)? = resolve(head, bytes) else { return nil }
        return answer
    }
}

/// Counts nothing.
struct NoTaps: TapCounter, TapReportStore {
    func count(_ kind: TapKind) {}
    func countIgnoredValues() {}
    func flush() {}
    func add(_ report: TapReport, atMost limit: Int) -> TapReport.Progress { TapReport.Progress(added: 0, left: 0) }
    func isCounted(_ report: TapReport) -> Bool { false }
}

private struct NoClock: WallClock {
    func now() -> Timestamp { Timestamp(milliseconds: 0) }
}
