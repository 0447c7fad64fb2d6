import QuickActions

/// A client that asks what its menu says.
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

/// What a client is told: the effective set in one language, its own version stamped into every item.
package struct ShortcutsAnswer: Sendable {
    package let app: AppID
    package let client: AppBuild
    /// The audience that was served, which is `default` where the one asked for has no timeline.
    package let audience: Audience
    package let effective: PublishedSet
    package let language: LanguageTag
    package let visibleBudget: Int
    private let defaultLanguage: LanguageTag
    /// How the client's version is written: as it is, or as a place for one.
    private var written: WrittenVersion

    /// Nil for a client older than every set: *keep what is registered*.
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
    }

    package init?(for client: Client, in snapshot: AppSnapshot) {
        self.init(for: client, in: snapshot.effective(for: client.build.version, client.audience))
    }

    /// The same for whatever client has this menu: with placeholders where its version is written.
    package var withPlaceholders: ShortcutsAnswer {
        var answer = self
        answer.written = .placeholders
        return answer
    }

    package var json: JSON {
        [
            "app": .string(app), "version": .string(written.version), "audience": .string(audience),
            "revision": .integer(effective.revision), "effectiveFrom": .string(effective.version), "language": .string(language),
            "visibleBudget": .integer(Int64(visibleBudget)), "items": .array(effective.set.enabledItems.map(json)),
        ]
    }

    /// An item as it is served; a disabled one is known, and not visible.
    package func json(of item: ShortcutItem) -> JSON {
        let row = self.row(of: item)
        return [
            "type": .string(item.type), "localizedTitle": .string(row.title), "localizedSubtitle": row.subtitle.map { .string($0) },
            "icon": item.icon?.servedJSON, "targetContentIdentifier": item.targetContentIdentifier.map { .string($0) },
            "visible": .boolean(isVisible(item)), "userInfo": .object(userInfo(of: item)),
        ]
    }

    /// What is registered with the item, and comes back with a tap on it: its own members and the version tag.
    func userInfo(of item: ShortcutItem) -> [JSON.Member] {
        item.userInfo.members.map { JSON.Member($0.key, $0.value.json) } + tag(of: item).members
    }

    /// The version tag, as it stands behind the item's own `userInfo`.
    func tag(of item: ShortcutItem) -> JSON {
        VersionTag.members(
            item: item.id, version: written.tagged, revision: effective.revision, language: row(of: item).language, audience: audience,
            action: item.actionHash, url: item.url)
    }

    func row(of item: ShortcutItem) -> ShortcutItem.Row {
        item.row(in: language, default: defaultLanguage)
    }

    private func isVisible(_ item: ShortcutItem) -> Bool {
        guard let place = effective.set.enabledItems.firstIndex(where: { $0.id == item.id }) else { return false }
        return place < visibleBudget
    }
}

extension ShortcutIcon {
    /// As an app passes it to `UIApplicationShortcutIcon`.
    fileprivate var servedJSON: JSON {
        [
            "systemImageName": symbol.map { .string($0) }, "templateImageName": file.map { .string($0) },
            "type": type.map { .string($0.name) },
        ]
    }
}

/// What stands between the quotes of a strong entity tag (RFC 9110 section 8.8.3): a hash of the bytes that are sent.
package func entityHash(of bytes: [UInt8]) -> String {
    sha256Hex(bytes, first: 32)
}
