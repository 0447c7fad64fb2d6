/// The document of `GET …/bundle` and `longpress bundle`, with which an app resolves taps without a network. The document has all
/// languages. This value has one of them.
package struct CarriedBundle: Sendable {
    package let menu: ServedMenu
    package let continuity: ContinuityTable
    /// The enabled and the disabled items.
    private let items: [ItemID: ServedItem]

    package var subject: ServedSubject { continuity.subject }

    /// - Parameters:
    ///   - preference: selects one of the document's languages (RFC 4647). Without a match, the default language is read.
    ///   - client: the version and build that are written into the items' tags.
    package init(_ json: JSON, in preference: LanguagePreference, for client: AppBuild? = nil) throws(DocumentError) {
        let subject = try ServedSubject(json)
        continuity = try ContinuityTable(try json.required("continuity", "an object") { $0.asMembers == nil ? nil : $0 })
        let fallback = try json.required("defaultLanguage", "a language") { $0.asText.flatMap { LanguageTag($0.string) } }
        let languages = try json.required("shortcuts", "an object", \.asMembers).compactMap { LanguageTag($0.name.string) }
        let language = preference.lookUp(in: languages) ?? fallback
        let menus = json["shortcuts"] ?? .null
        menu = try ServedMenu(try menus.required(Text(language.description), "a menu") { $0.asMembers == nil ? nil : $0 }, for: client)
        guard continuity.subject == subject, menu.subject == subject, menu.language == language else {
            throw .malformed("the parts of the bundle have different revisions")
        }
        let disabledItems = try json.required("disabled", "an object") { $0.asMembers == nil ? nil : $0 }
        let disabled = try (try disabledItems.optional(Text(language.description), "an array", \.asElements) ?? []).map {
            json throws(DocumentError) in try ServedItem(json, for: client)
        }
        items = Dictionary((menu.items + disabled).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The result of resolving a tap.
    package struct Landing: Sendable {
        package let outcome: TapOutcome
        package let origin: TapOrigin
        /// The item to act on.
        package let item: ServedItem?
        /// The fallback; nil if there is an item.
        package let url: Text?

        package init(outcome: TapOutcome, origin: TapOrigin, item: ServedItem?, url: Text?) {
            self.outcome = outcome
            self.origin = origin
            self.item = item
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
        guard let item = items[id] else {
            return Landing(outcome: .removed, origin: origin, item: nil, url: continuity.otherwise.url)
        }
        let isLive = entry.outcome == .current
        let outcome = isLive ? tag.outcome(action: item.action.string, revision: subject.revision, language: item.language) : entry.outcome
        return Landing(outcome: outcome, origin: origin, item: item, url: nil)
    }

    private func resolveUntagged(_ type: Text) -> Landing {
        let namesakes = menu.items.filter { $0.type == type }
        guard let item = namesakes.first, namesakes.count == 1 else {
            return Landing(outcome: .unknown, origin: .unknown, item: nil, url: continuity.otherwise.url)
        }
        return Landing(outcome: .untagged, origin: .unknown, item: item, url: nil)
    }
}
