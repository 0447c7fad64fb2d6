import QuickActions
import Shortcuts

/// The part of an app that decides which representation a fetch selects. It is cached for requests whose own key misses, so that neither
/// another spelling nor an arbitrary version needs the store.
struct NegotiationTable: Sendable {
    enum Selection {
        case representation(SelectedRepresentation)
        /// The version is older than every set.
        case absent
        /// The table lacks the version's range.
        case unknown
    }

    let app: AppID
    /// The app's last revision when it was read.
    let revision: Int64
    private let defaultLanguage: LanguageTag
    /// The first version of each audience's timeline.
    private let firstVersions: [Audience: AppVersion]
    /// For each release, the number of items that its clients show in addition to its static items, in `AppBuild.releaseOrder`.
    private let budgets: [(release: AppBuild, count: Int)]
    /// With the languages of the enabled items of the set in effect.
    private var ranges: [Audience: [(range: EffectiveRange, languages: [LanguageTag])]] = [:]

    init(_ snapshot: EffectiveSnapshot) {
        app = snapshot.app.id
        revision = snapshot.lastRevision
        defaultLanguage = snapshot.app.defaultLanguage
        firstVersions = snapshot.firstVersions
        budgets = snapshot.releases.map { ($0.id, $0.visibleBudget) }
        guard let effective = snapshot.effective, let range = snapshot.range else { return }
        ranges[snapshot.audience] = [(range, effective.set.titleLanguages)]
    }

    /// Adds the ranges of another table of the same app and generation.
    func merging(_ other: NegotiationTable) -> NegotiationTable {
        var table = self
        table.ranges.merge(other.ranges) { mine, others in
            mine + others.filter { other in !mine.contains { $0.range == other.range } }
        }
        return table
    }

    func select(_ request: FetchRequest) -> Selection {
        let audience = firstVersions[request.client.audience] == nil ? .default : request.client.audience
        let version = request.client.build.version
        guard let first = firstVersions[audience], first <= version else { return .absent }
        guard let (range, languages) = ranges[audience]?.first(where: { $0.range.contains(version) }) else { return .unknown }
        let isInALanguage = if case .shortcuts = request.resource { true } else { false }
        let language = isInALanguage ? request.client.language.lookUp(in: languages) ?? defaultLanguage : nil
        return .representation(
            SelectedRepresentation(
                app: app, resource: request.resource, client: request.client.build, audience: audience, language: language,
                variesByLanguage: !request.namesLanguage, isDefaultLanguage: language == defaultLanguage, scope: request.scope,
                isGzipped: request.wantsGzip, notice: request.notice, effectiveFrom: range.from,
                visibleBudget: request.resource == .continuity ? visibleMenuItems : budget(for: request.client.build)))
    }

    private func budget(for client: AppBuild) -> Int {
        budgets.last { !$0.release.isAbove(client) }?.count ?? visibleMenuItems
    }

    /// The hash under which it is cached. It does not depend on the app alone, so that no client can choose it.
    static func hash(of app: AppID, seed: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(app)
        return hasher.finalize()
    }

    /// Its memory in bytes.
    var cost: Int {
        let languages = ranges.values.reduce(0) { $0 + $1.reduce(0) { $0 + 32 + $1.languages.count * 16 } + $1.count * 128 }
        return 512 + firstVersions.count * 96 + budgets.count * 88 + languages
    }
}
