/// The document of `GET …/bundle` and `longpress bundle`, with which an app resolves taps without a network. The document has all
/// languages. This value has one of them.
package struct CarriedBundle: Sendable {
    package let menu: ServedMenu
    package let continuity: ContinuityTable
    /// The enabled and the disabled items.
    private let items: [ItemID: ServedItem]
    /// The enabled and the disabled personal items.
    private let personal: [ItemID: ServedPersonalItem]

    package var subject: ServedSubject { continuity.subject }

    /// - Parameters:
    ///   - preference: selects one of the document's languages (RFC 4647). Without a match, the default language is read.
    ///   - client: the version and build that are written into the items' tags.
    package init(_ json: JSON, in preference: LanguagePreference, for client: AppBuild? = nil) throws(DocumentError) {
        let subject = try ServedSubject(json)
        let continuity = try ContinuityTable(try json.required("continuity", "an object") { $0.asMembers == nil ? nil : $0 })
        let fallback = try json.required("defaultLanguage", "a language") { $0.asText.flatMap { LanguageTag($0.string) } }
        let languages = try json.required("shortcuts", "an object", \.asMembers).compactMap { LanguageTag($0.name.string) }
        let language = preference.lookUp(in: languages) ?? fallback
        let menus = json["shortcuts"] ?? .null
        let menu = try ServedMenu(try menus.required(Text(language.description), "a menu") { $0.asMembers == nil ? nil : $0 }, for: client)
        guard continuity.subject == subject, menu.subject == subject, menu.language == language else {
            throw .malformed("the parts of the bundle have different revisions")
        }
        let disabledItems = try json.required("disabled", "an object") { $0.asMembers == nil ? nil : $0 }
        // Absent if there are none.
        let templates = try json.optional("disabledPersonal", "an object") { $0.asMembers == nil ? nil : $0 }
        let name = Text(language.description)
        self.init(menu, continuity, try disabledItems.items(name, for: client), try templates?.personalItems(name, for: client) ?? [])
    }

    private init(
        _ menu: ServedMenu, _ continuity: ContinuityTable, _ disabled: [ServedItem], _ disabledPersonal: [ServedPersonalItem]
    ) {
        (self.menu, self.continuity) = (menu, continuity)
        items = Dictionary((menu.items + disabled).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        personal = Dictionary((menu.personal + disabledPersonal).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The candidate of the roll-out that runs as far as the bundle knows; nil without one.
    package var rollout: ServedRollout? { menu.rollout }

    /// See `ServedMenu.seen(in:of:)`.
    package func seen(in arm: RolloutArm, of rollout: String) -> CarriedBundle {
        guard arm == .candidate, let candidate = menu.rollout, candidate.id == rollout else { return self }
        let (menu, continuity) = (menu.seen(in: arm, of: rollout), continuity.seen(in: arm, of: rollout))
        // Without the candidate's ids, the document resolves only those of the set.
        guard menu.subject == continuity.subject else { return self }
        return CarriedBundle(menu, continuity, candidate.disabled, candidate.disabledPersonal)
    }

    /// The result of resolving a tap.
    package struct Landing: Sendable {
        package let outcome: TapOutcome
        package let origin: TapOrigin
        /// The item to act on.
        package let item: ServedItem?
        /// The template to fill and act on, if the tap resolves to a personal item. `item` is nil then.
        package let personal: ServedPersonalItem?
        /// The fallback; nil if there is an item. With a personal item, it is the URL for a tap without the values.
        package let url: Text?

        package init(
            outcome: TapOutcome, origin: TapOrigin, item: ServedItem?, personal: ServedPersonalItem? = nil, url: Text?
        ) {
            self.outcome = outcome
            self.origin = origin
            self.item = item
            self.personal = personal
            self.url = url
        }
    }

    /// Resolves a tap as the service does, with two exceptions: the document has no static items, and cannot trace an id of a later version
    /// back to an earlier id.
    /// - Parameters:
    ///   - tag: nil if the tap has no usable tag.
    ///   - installed: the running version, which equals the document's version.
    package func resolve(type: Text, _ tag: TapTag?, installed: AppBuild) -> Landing {
        guard let tag else { return resolveUntagged(type) }
        let origin = TapOrigin(of: tag.version, installed: installed)
        let entry = continuity[tag.item]
        guard let id = entry.item else { return Landing(outcome: entry.outcome, origin: origin, item: nil, url: entry.url) }
        func outcome(_ action: Text, _ language: LanguageTag) -> TapOutcome {
            guard entry.outcome == .current else { return entry.outcome }
            return tag.outcome(action: action.string, revision: subject.revision, language: language)
        }
        if let item = items[id] { return Landing(outcome: outcome(item.action, item.language), origin: origin, item: item, url: nil) }
        let fallback = continuity.otherwise.url
        if let item = personal[id] {
            return Landing(
                outcome: outcome(item.action, item.language), origin: origin, item: nil, personal: item, url: fallback)
        }
        return Landing(outcome: .removed, origin: origin, item: nil, url: fallback)
    }

    private func resolveUntagged(_ type: Text) -> Landing {
        let namesakes = menu.entries.filter { $0.type == type }
        let fallback = continuity.otherwise.url
        guard let only = namesakes.first, namesakes.count == 1 else {
            return Landing(outcome: .unknown, origin: .unknown, item: nil, url: fallback)
        }
        return switch only {
        case .item(let item): Landing(outcome: .untagged, origin: .unknown, item: item, url: nil)
        case .personal(let item): Landing(outcome: .untagged, origin: .unknown, item: nil, personal: item, url: fallback)
        }
    }
}

extension ServedMenu.Entry {
    fileprivate var type: Text {
        switch self {
        case .item(let item): item.type
        case .personal(let item): item.type
        }
    }
}

/// The document of `GET …/bundle?audience=*`: the bundle of every audience of a version. A bundle of one audience is read, too.
package struct CarriedAudiences: Sendable {
    /// By audience with a timeline; nil for an audience whose sets all start at later versions.
    private let bundles: [Audience: CarriedBundle?]
    /// The audience of the document itself: `default`, or the first with a menu.
    package let first: CarriedBundle
    /// Whether the document has every audience, so that any other audience is served the default one.
    package let isComplete: Bool

    /// - Parameters: see `CarriedBundle`.
    package init(_ json: JSON, in preference: LanguagePreference, for client: AppBuild? = nil) throws(DocumentError) {
        first = try CarriedBundle(json, in: preference, for: client)
        var bundles: [Audience: CarriedBundle?] = [first.subject.audience: first]
        let others = try json.optional("audiences", "an object", \.asMembers)
        isComplete = others != nil
        for member in others ?? [] {
            guard let audience = Audience(member.name.string) else {
                throw .malformed("\(quoted(member.name.string)) is not an audience")
            }
            guard !member.value.isNull else {
                bundles.updateValue(nil, forKey: audience)
                continue
            }
            let bundle = try CarriedBundle(member.value, in: preference, for: client)
            guard bundle.subject.audience == audience, bundle.subject.app == first.subject.app,
                bundle.subject.version == first.subject.version
            else { throw .malformed("the bundle of the audience \(audience) is of another one, or of another app or version") }
            bundles[audience] = bundle
        }
        self.bundles = bundles
    }

    /// The audiences with a menu, ascending.
    package var audiences: [Audience] { bundles.compactMap { $1 == nil ? nil : $0 }.sorted() }

    package enum Answer: Sendable {
        case bundle(CarriedBundle)
        /// No set is in effect (`no-shortcut-set`): the app keeps what is registered.
        case keep
        /// The document does not have the audience.
        case unknown
    }

    /// What the service serves to an audience: its own bundle, or the default one if the audience has no timeline.
    package subscript(audience: Audience) -> Answer {
        if let known = bundles[audience] ?? (isComplete ? bundles[.default] : nil) {
            return known.map(Answer.bundle) ?? .keep
        }
        return isComplete ? .keep : .unknown
    }
}
