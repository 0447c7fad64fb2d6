import QuickActions

/// The parameters of a fetch.
package struct Client: Sendable {
    package let build: AppBuild
    package let audience: Audience
    package let language: LanguagePreference

    package init(build: AppBuild, audience: Audience = .default, language: LanguagePreference = .none) {
        self.build = build
        self.audience = audience
        self.language = language
    }
}

/// The answer to a fetch: the set in effect in one language. Every item has a version tag with the client's version.
package struct ShortcutsAnswer: Sendable {
    package let app: AppID
    package let client: AppBuild
    /// The audience that is served: `default` if the requested one has no timeline.
    package let audience: Audience
    package private(set) var effective: PublishedSet
    package private(set) var language: LanguageTag
    package let visibleBudget: Int
    private let defaultLanguage: LanguageTag
    /// The client's version in the answer, or placeholders for it.
    private var written: WrittenVersion
    /// The number of the revision in the answer, or a placeholder for it.
    private var revision: JSON

    /// Nil for a client older than every set, which keeps the registered items.
    package init?(for client: Client, in snapshot: EffectiveSnapshot) {
        guard let effective = snapshot.effective else { return nil }
        self.effective = effective
        app = snapshot.app.id
        self.client = client.build
        audience = snapshot.audience
        defaultLanguage = snapshot.app.defaultLanguage
        language = effective.set.language(for: client.language, default: defaultLanguage)
        visibleBudget = snapshot.visibleBudget(for: client.build)
        written = WrittenVersion(client.build)
        revision = .integer(effective.revision)
    }

    package init?(for client: Client, in snapshot: AppSnapshot) {
        self.init(for: client, in: snapshot.effective(for: client.build.version, client.audience))
    }

    /// The answer to a fetch for the version at which the set begins, in the default language.
    /// - Parameter revision: a placeholder.
    init(_ content: MenuContent, revision: JSON) {
        effective = PublishedSet(
            version: content.version, revision: 0, publishedAt: Timestamp(milliseconds: 0), by: "", set: content.set)
        app = content.app.id
        client = AppBuild(content.version)
        audience = content.audience
        defaultLanguage = content.app.defaultLanguage
        language = content.set.language(for: .none, default: defaultLanguage)
        visibleBudget = content.visibleBudget
        written = WrittenVersion(client)
        self.revision = revision
    }

    /// A template for all clients with this menu: placeholders stand for the version.
    package var withPlaceholders: ShortcutsAnswer {
        var answer = self
        answer.written = .placeholders
        return answer
    }

    package var json: JSON { json(isBundled: false) }

    /// - Parameter isBundled: whether it is in a bundle, whose roll-out has the disabled items, too.
    func json(isBundled: Bool) -> JSON {
        [
            "app": .string(app), "version": .string(written.version), "audience": .string(audience),
            "revision": revision, "effectiveFrom": .string(effective.version), "language": .string(language),
            "visibleBudget": .integer(Int64(visibleBudget)), "items": .array(effective.set.plainItems.map(json)),
            "personal": personal.isEmpty ? nil : .array(personal), "rollout": rollout(isBundled: isBundled),
        ]
    }

    /// The candidate of a running roll-out, beside the menu that other installations get.
    private func rollout(isBundled: Bool) -> JSON? {
        effective.candidate.map { candidate in
            var other = self
            other.effective = candidate.published(from: effective.version)
            // The answer has one language, by which it is cached.
            other.language = candidate.set.language(for: .exactly(language), default: defaultLanguage)
            other.revision = .integer(candidate.revision)
            return [
                "id": .string(candidate.rollout), "threshold": .integer(Int64(candidate.share.threshold)), "revision": other.revision,
                "items": .array(candidate.set.plainItems.map(other.json)),
                "personal": other.personal.isEmpty ? nil : .array(other.personal),
                "disabled": isBundled ? other.disabledItems : nil,
                "disabledPersonal": isBundled ? other.disabledPersonalItems : nil,
            ]
        }
    }

    /// The personal items, each with its place in the full menu.
    private var personal: [JSON] {
        effective.set.personalItems.compactMap { place, item in item.personal.map { personalJSON(of: item, $0, at: place) } }
    }

    /// A personal item as served: its texts are templates. The sample values are not served.
    private func personalJSON(of item: ShortcutItem, _ rule: PersonalRule, at place: Int?) -> JSON {
        let row = self.row(of: item)
        return [
            "at": place.map { .integer(Int64($0)) }, "source": .string(rule.source), "limit": .integer(Int64(rule.limit)),
            "type": .string(item.type), "localizedTitle": .string(row.title), "localizedSubtitle": row.subtitle.map { .string($0) },
            "icon": item.icon?.servedJSON, "targetContentIdentifier": item.targetContentIdentifier.map { .string($0) },
            "userInfo": .object(userInfo(of: item)),
        ]
    }

    /// A personal item outside of a menu; a disabled one has no place. Nil for other items.
    func personalJSON(of item: ShortcutItem) -> JSON? {
        item.personal.map { rule in
            personalJSON(of: item, rule, at: effective.set.personalItems.first { $0.item.id == item.id }?.at)
        }
    }

    /// An item as served, unless it is personal. A disabled item is not visible and occurs only in the answer to a tap.
    package func json(of item: ShortcutItem) -> JSON {
        let row = self.row(of: item)
        return [
            "type": .string(item.type), "localizedTitle": .string(row.title), "localizedSubtitle": row.subtitle.map { .string($0) },
            "icon": item.icon?.servedJSON, "targetContentIdentifier": item.targetContentIdentifier.map { .string($0) },
            "visible": .boolean(isVisible(item)), "userInfo": .object(userInfo(of: item)),
        ]
    }

    /// The `userInfo` to register, which a tap reports: the item's members, followed by the version tag.
    func userInfo(of item: ShortcutItem) -> [JSON.Member] {
        item.userInfo.members.map { JSON.Member($0.key, $0.value.json) } + tag(of: item).members
    }

    /// The members of the version tag.
    func tag(of item: ShortcutItem) -> JSON {
        VersionTag.members(
            item: item.id, version: written.tagged, revision: revision, language: row(of: item).language, audience: audience,
            action: item.actionHash, url: item.url)
    }

    func row(of item: ShortcutItem) -> ShortcutItem.Row {
        item.row(in: language, default: defaultLanguage)
    }

    private func isVisible(_ item: ShortcutItem) -> Bool {
        guard let place = effective.set.plainItems.firstIndex(where: { $0.id == item.id }) else { return false }
        return place < visibleBudget
    }
}

extension ShortcutIcon {
    /// The member names are the argument labels of the initializers of `UIApplicationShortcutIcon`.
    fileprivate var servedJSON: JSON? {
        guard !isUnknown else { return nil }
        return [
            "systemImageName": symbol.map { .string($0) }, "templateImageName": file.map { .string($0) },
            "type": type.map { .string($0.name) },
        ]
    }
}

/// The opaque part of a strong entity tag (RFC 9110 section 8.8.3): a hash of the representation.
package func entityHash(of bytes: [UInt8]) -> String {
    sha256Hex(bytes, first: 32)
}

/// A part of an item that a rendering cannot express, with the reason.
struct Omission {
    /// Nil for the menu.
    let item: ItemID?
    /// The path of an omitted member of the item, or the rendering's member that was shortened; nil for the whole item.
    let member: String?
    /// A sentence with the value and the remedy.
    let reason: String

    var json: JSON {
        ["item": .optional(item?.description), "member": .optional(member), "reason": .string(reason)]
    }
}

extension Omission {
    static func icon(of item: ShortcutItem) -> Omission? {
        guard let icon = item.icon, !icon.isUnknown else { return nil }
        return Omission(
            item: item.id, member: "icon",
            reason: "Symbols, asset names and system icon types exist only on iOS. Add an image for the item's id.")
    }

    /// What the format cannot express of the answer beside single items.
    static func all(of answer: ShortcutsAnswer) -> [Omission] {
        let rollout = answer.effective.candidate.map { candidate in
            Omission(
                item: nil, member: "rollout",
                reason: "This format has one menu. It shows the set, and no candidate of the roll-out \(candidate.rollout).")
        }
        return [rollout].compactMap { $0 } + answer.effective.set.personalItems.compactMap { .personal($0.item) }
    }

    /// Nil unless the item is personal.
    private static func personal(_ item: ShortcutItem) -> Omission? {
        item.personal.map { rule in
            Omission(
                item: item.id, member: nil,
                reason:
                    "The app fills this personal item with values of its source \(quoted(rule.source.string)), and only LongpressKit does "
                    + "that.")
        }
    }

    static func targetContentIdentifier(of item: ShortcutItem) -> Omission? {
        guard let identifier = item.targetContentIdentifier else { return nil }
        return Omission(
            item: item.id, member: "targetContentIdentifier",
            reason: "\(quoted(identifier.string)) selects an iOS scene and has no counterpart in this format. Put it in the url.")
    }
}

/// The part of an `AppSnapshot` that a fetch for one version and audience depends on: of the app's sets only the one in effect.
package struct EffectiveSnapshot: Sendable {
    package let app: App
    /// For each audience with a timeline, the version at which its first set takes effect.
    package let firstVersions: [Audience: AppVersion]
    /// The audience that is served: the requested one if it has a timeline, else `default`.
    package let audience: Audience
    /// Nil for a version older than every set of the audience.
    package let effective: PublishedSet?
    /// The versions for which `effective` is in effect; nil without a set.
    package let range: EffectiveRange?
    /// In `AppBuild.releaseOrder`.
    package let releases: [Release]
    /// See `AppSnapshot.nextPublish`.
    package let nextPublish: Timestamp?
    /// See `AppSnapshot.lastRevision`.
    package let lastRevision: Int64
    /// See `AppSnapshot.isStale`.
    package private(set) var isStale: Bool

    package init(
        app: App, firstVersions: [Audience: AppVersion], audience: Audience, effective: PublishedSet?,
        range: EffectiveRange?, releases: [Release], nextPublish: Timestamp?, lastRevision: Int64 = 0, isStale: Bool = false
    ) {
        self.app = app
        self.firstVersions = firstVersions
        self.audience = audience
        self.effective = effective
        self.range = range
        self.releases = releases
        self.nextPublish = nextPublish
        self.lastRevision = lastRevision
        self.isStale = isStale
    }

    /// A copy marked as stale.
    package var asStale: EffectiveSnapshot {
        var snapshot = self
        snapshot.isStale = true
        return snapshot
    }

    /// How many dynamic items the system shows to a client: four, less its static items.
    package func visibleBudget(for client: AppBuild) -> Int {
        releases.visibleBudget(for: client)
    }
}

extension EffectiveSnapshot {
    /// Selects the set in effect by the versions at which sets begin, and loads only that one.
    /// - Parameters:
    ///   - versions: by audience with sets, the versions at which they begin.
    ///   - set: loads the set that begins at a version.
    package init<E: Error>(
        of app: App, _ versions: [Audience: [AppVersion]], for version: AppVersion, _ audience: Audience, releases: [Release],
        nextPublish: Timestamp?, lastRevision: Int64, isStale: Bool = false, set: (Audience, AppVersion) throws(E) -> PublishedSet?
    ) throws(E) {
        let served = versions[audience] == nil ? .default : audience
        let range = EffectiveRange(containing: version, between: versions[served] ?? [])
        let effective: PublishedSet? = if let range { try set(served, range.from) } else { nil }
        self.init(
            app: app, firstVersions: versions.compactMapValues { $0.min() }, audience: served, effective: effective, range: range,
            releases: releases, nextPublish: nextPublish, lastRevision: lastRevision, isStale: isStale)
    }
}

extension AppSnapshot {
    /// For every audience, the range is that of the versions with the same sets, and the set is one of them.
    package func effective(for version: AppVersion, _ audience: Audience) -> EffectiveSnapshot {
        guard audience != .every else { return effectiveForEveryAudience(of: version) }
        return EffectiveSnapshot(
            of: app, timelines.mapValues { $0.sets.map(\.version) }, for: version, audience, releases: releases, nextPublish: nextPublish,
            lastRevision: lastRevision, isStale: isStale
        ) { audience, version in timelines[audience]?.set(startingAt: version) }
    }

    private func effectiveForEveryAudience(of version: AppVersion) -> EffectiveSnapshot {
        let sets = timelines.values.flatMap(\.sets)
        return EffectiveSnapshot(
            app: app, firstVersions: timelines.compactMapValues { $0.sets.map(\.version).min() }, audience: .every,
            effective: timelines.sorted { $0.key < $1.key }.lazy.compactMap { $0.value.effectiveSet(for: version) }.first,
            range: EffectiveRange(containing: version, between: sets.map(\.version)), releases: releases, nextPublish: nextPublish,
            lastRevision: lastRevision, isStale: isStale)
    }
}

extension [Release] {
    /// The release whose static items a client shows: the greatest one that is not above the client.
    func release(for client: AppBuild) -> Release? {
        last { !$0.id.isAbove(client) }
    }

    func visibleBudget(for client: AppBuild) -> Int {
        release(for: client)?.visibleBudget ?? visibleMenuItems
    }
}

extension Release {
    /// How many dynamic items the system shows beside the release's static ones.
    package var visibleBudget: Int { max(0, visibleMenuItems - staticItems.count) }
}
