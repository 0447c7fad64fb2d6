import QuickActions

/// A result of a search: an app, a set, or an item with a matching member.
package struct SearchHit: Sendable {
    package enum Source: String, Sendable {
        case app, set, draft
    }

    /// A matching member: its path in the item, set or app, and its text.
    struct Member: Sendable {
        let path: String
        let text: String

        init(_ path: DocumentPath, _ text: String) {
            self.path = path.description
            self.text = text
        }
    }

    /// The place of a set or draft.
    package struct Place: Sendable {
        package let source: Source
        package let app: AppID
        package let name: Text?
        package let version: AppVersion
        package let audience: Audience
        /// Nil for a draft.
        package let revision: Int64?

        package init(source: Source, app: AppID, name: Text?, version: AppVersion, audience: Audience, revision: Int64?) {
            (self.source, self.app, self.name, self.version, self.audience, self.revision) = (
                source, app, name, version, audience, revision
            )
        }

        /// The version, and the audience unless it is the default one.
        var members: [Member] {
            [Member(.root["version"], version.description)]
                + (audience == .default ? [] : [Member(.root["audience"], audience.description)])
        }

        /// Facts beside the document that are searched as well.
        var texts: [String?] { [app.description, name?.string, version.description, audience.description] }
    }

    fileprivate let source: Source
    fileprivate let app: AppID
    fileprivate let name: Text?
    fileprivate let place: Place?
    fileprivate let item: ItemID?
    fileprivate let member: Member

    package var json: JSON {
        [
            "in": .string(source.rawValue), "app": .string(app), "name": .optional(name?.string), "version": .optional(place?.version),
            "audience": .optional(place?.audience), "revision": place?.revision.map(JSON.integer) ?? .null, "item": .optional(item),
            "member": .string(member.path), "text": .string(member.text),
        ]
    }
}

extension SearchWords {
    package func hit(in app: App) -> SearchHit? {
        let members: [SearchHit.Member?] = [
            SearchHit.Member(.root["app"], app.id.description), app.name.map { SearchHit.Member(.root["name"], $0.string) },
            app.fallbackURL.map { SearchHit.Member(.root["fallbackURL"], $0.description) },
        ]
        return match(members.compactMap { $0 }, around: []).map {
            SearchHit(source: .app, app: app.id, name: app.name, place: nil, item: nil, member: $0)
        }
    }

    /// Candidates in their order: the set itself, its items, the ids that it retires.
    package func hits(in set: ShortcutSet, at place: SearchHit.Place) -> [SearchHit] {
        func hit(_ members: [SearchHit.Member], of item: ItemID?, around: [String]) -> SearchHit? {
            match(members, around: around).map {
                SearchHit(source: place.source, app: place.app, name: place.name, place: place, item: item, member: $0)
            }
        }
        let around = folded(place.texts)
        let ofSet =
            place.members + (set.fallbackURL.map { [SearchHit.Member(.root["fallbackURL"], $0.description)] } ?? [])
        let found =
            [hit(ofSet, of: nil, around: folded([place.app.description, place.name?.string]))]
            + set.items.map { hit($0.searchedMembers, of: $0.id, around: around) }
            + set.retired.enumerated().map { index, retired in
                let path = DocumentPath.root["retired"][index]
                let url = retired.url.map { [SearchHit.Member(path["url"], $0.description)] } ?? []
                return hit([SearchHit.Member(path["id"], retired.id.description)] + url, of: retired.id, around: around)
            }
        return found.compactMap { $0 }
    }
}

extension ShortcutItem {
    fileprivate var searchedMembers: [SearchHit.Member] {
        func texts(_ texts: LocalizedText, _ name: Text) -> [SearchHit.Member] {
            texts.rows.map { SearchHit.Member(.root[name][Text($0.language.description)], $0.text.string) }
        }
        return [SearchHit.Member(.root["id"], id.description)] + texts(titles, "title") + texts(subtitles, "subtitle")
            + [SearchHit.Member(.root["type"], type.string)] + (url.map { [SearchHit.Member(.root["url"], $0.description)] } ?? [])
            + replaces.enumerated().map { SearchHit.Member(.root["replaces"][$0], $1.description) }
            + (personal.map { [SearchHit.Member(.root["personal"]["source"], $0.source.string)] } ?? [])
    }
}
