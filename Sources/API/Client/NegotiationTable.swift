import QuickActions
import Shortcuts

/// What of an app decides which representation a fetch selects. It is small, and kept where a request's own spelling finds no answer,
/// so that no spelling and no made-up version costs a look at the store.
struct NegotiationTable: Sendable {
    /// From where a set is in effect, up to where the next one takes over, and the languages of its enabled items.
    struct Stretch: Sendable {
        let from: AppVersion
        let until: AppVersion?
        let languages: [LanguageTag]

        func contains(_ version: AppVersion) -> Bool {
            from <= version && (until.map { version < $0 } ?? true)
        }
    }

    enum Selection {
        case representation(SelectedRepresentation)
        /// The version is older than every set.
        case absent
        /// The set in effect has not been looked at yet.
        case unknown
    }

    let app: AppID
    private let defaultLanguage: LanguageTag
    /// The audiences that have a timeline, each with the version at which it begins.
    private let firstVersions: [Audience: AppVersion]
    /// Each release with the number of items that its clients can show beside its static ones, in `AppBuild.releaseOrder`.
    private let budgets: [(release: AppBuild, count: Int)]
    private var stretches: [Audience: [Stretch]] = [:]

    init(_ snapshot: EffectiveSnapshot) {
        app = snapshot.app.id
        defaultLanguage = snapshot.app.defaultLanguage
        firstVersions = snapshot.firstVersions
        budgets = snapshot.releases.map { ($0.id, $0.visibleBudget) }
        guard let effective = snapshot.effective else { return }
        stretches[snapshot.audience] = [
            Stretch(from: effective.version, until: snapshot.until, languages: effective.set.titleLanguages)
        ]
    }

    /// With the stretches of another that was made of the same app since it last changed.
    func merging(_ other: NegotiationTable) -> NegotiationTable {
        var table = self
        table.stretches.merge(other.stretches) { mine, others in
            mine + others.filter { other in !mine.contains { $0.from == other.from } }
        }
        return table
    }

    func select(_ request: FetchRequest) -> Selection {
        let audience = firstVersions[request.client.audience] == nil ? .default : request.client.audience
        let version = request.client.build.version
        guard let first = firstVersions[audience], first <= version else { return .absent }
        guard let stretch = stretches[audience]?.first(where: { $0.contains(version) }) else { return .unknown }
        let isShortcuts = request.resource != .continuity
        let language = isShortcuts ? request.client.language.lookUp(in: stretch.languages) ?? defaultLanguage : nil
        return .representation(
            SelectedRepresentation(
                app: app, resource: request.resource, client: request.client.build, audience: audience, language: language,
                variesByLanguage: !request.namesLanguage, isDefaultLanguage: language == defaultLanguage, scope: request.scope,
                isGzipped: request.wantsGzip, notice: request.notice, effectiveFrom: stretch.from,
                visibleBudget: isShortcuts ? budget(for: request.client.build) : visibleMenuItems))
    }

    private func budget(for client: AppBuild) -> Int {
        budgets.last { !$0.release.isAbove(client) }?.count ?? visibleMenuItems
    }

    static func key(of app: AppID, seed: Int) -> AnswerKey {
        AnswerKey(parts: ["table \(app)"], seed: seed)
    }

    /// What it takes in memory, in bytes.
    var cost: Int {
        let languages = stretches.values.reduce(0) { $0 + $1.reduce(0) { $0 + 32 + $1.languages.count * 16 } + $1.count * 128 }
        return 512 + firstVersions.count * 96 + budgets.count * 88 + languages
    }
}
