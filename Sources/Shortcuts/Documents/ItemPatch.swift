import QuickActions

/// The body of `PATCH …/items/{item}`: a JSON merge patch (RFC 7396) for the item's document.
package struct ItemPatch: Sendable {
    package let item: ItemID
    private let patch: JSON

    package init(_ patch: JSON, of item: ItemID) {
        self.item = item
        self.patch = patch.withCanonicalLanguages
    }

    /// The set with the item changed, validated as a whole. Paths are those of the set's document.
    /// - Throws: `unknownResource` if the set has no such item, `invalidDocument`.
    func applied(to previous: ShortcutSet, defaultLanguage: LanguageTag) throws(Failure) -> ShortcutSet {
        let set = previous.withoutUnknownMembers
        guard let index = set.items.firstIndex(where: { $0.id == item }) else {
            let known = set.items.map { quoted($0.id.description) }.joined(separator: ", ")
            throw Failure(
                .unknownResource,
                "The set has no item \(quoted(item.description)). Its items: \(known.isEmpty ? "none" : known). To add an item, PUT the "
                    + "set.")
        }
        var items = set.items.map(\.json)
        items[index] = items[index].merging(patch)
        try requireSameID(items[index], at: index)
        let document = JSON.object([JSON.Member("items", .array(items))]).merging(set.json.without("items"))
        return try ShortcutSetDocument(document, defaultLanguage: defaultLanguage).checked().keepingUnknownMembers(of: previous)
    }

    private func requireSameID(_ changed: JSON, at index: Int) throws(Failure) {
        guard case .object(let members) = changed, members.text("id")?.string != item.description else { return }
        let path = DocumentPath.root["items"][index]["id"]
        throw .invalidDocument([
            Violation(
                path: path.description, code: "id-invalid",
                message: "The id of an item cannot be changed. Leave id out of the patch. To rename the item, PUT the set with a new item "
                    + "that replaces \(quoted(item.description)).")
        ])
    }
}

extension JSON {
    /// With the language tags of titles and subtitles in canonical case, so that the patch matches the stored rows.
    fileprivate var withCanonicalLanguages: JSON {
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { member in
                guard ["title", "subtitle"].contains(member.name.string), case .object(let rows) = member.value else { return member }
                return Member(member.name, .object(rows.map { $0.canonicallySpelled(among: rows) }))
            })
    }

    fileprivate func without(_ name: Text) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.name != name })
    }
}

extension JSON.Member {
    /// If a patch has two spellings of one language, both stay: validation rejects them as `duplicate-language`.
    fileprivate func canonicallySpelled(among rows: [JSON.Member]) -> JSON.Member {
        guard let tag = LanguageTag(name.string), rows.filter({ LanguageTag($0.name.string) == tag }).count == 1 else { return self }
        return JSON.Member(Text(tag.description), value)
    }
}
