import QuickActions

/// The rules about ids within one set: item ids are unique, no item replaces itself or another item of the set, an id has at most one
/// successor, and a retired id is neither an item nor replaced.
///
/// The ids are read from the JSON, so that items with other violations are checked too.
struct ReplacementRules {
    private struct Mention {
        let id: ItemID
        let path: DocumentPath
        /// The index of the item that mentions the id; nil for `retired`.
        let item: Int?
    }

    private let present: [Mention]
    private let replaced: [Mention]
    private let retired: [Mention]

    init(of document: JSON, at path: DocumentPath) {
        let items = document.elements(of: "items").enumerated()
        present = items.compactMap { index, item in
            item.identifier(at: "id").map { Mention(id: $0, path: path["items"][index]["id"], item: index) }
        }
        replaced = items.flatMap { index, item in
            item.elements(of: "replaces").enumerated().compactMap { position, json in
                json.identifier.map {
                    Mention(id: $0, path: path["items"][index]["replaces"][position], item: index)
                }
            }
        }
        retired = document.elements(of: "retired").enumerated().compactMap { index, entry in
            entry.identifier(at: "id").map { Mention(id: $0, path: path["retired"][index]["id"], item: nil) }
        }
    }

    func check(_ checker: DocumentChecker) {
        noteRepeats(of: present, checker)
        noteRepeats(of: retired, checker)
        let owners = Dictionary(present.map { ($0.id, $0.item) }, uniquingKeysWith: { first, _ in first })
        var successors: [ItemID: Int?] = [:]
        for mention in replaced {
            if let owner = owners[mention.id] {
                let whom = owner == mention.item ? "itself" : "an item of the same set"
                checker.note(
                    "replaces-conflict", at: mention.path,
                    "The item replaces \(quoted(mention.id.description)), which is \(whom). Remove it from replaces.")
            }
            if let successor = successors[mention.id] {
                let isSame = successor == mention.item
                checker.note(
                    isSame ? "duplicate-id" : "replaces-conflict", at: mention.path,
                    isSame
                        ? "\(quoted(mention.id.description)) is listed twice. Keep one of them."
                        : "Two items replace \(quoted(mention.id.description)), but a tap can open only one. Keep one of them.")
            }
            successors[mention.id] = mention.item
        }
        for mention in retired {
            if owners[mention.id] != nil {
                checker.note(
                    "replaces-conflict", at: mention.path,
                    "\(quoted(mention.id.description)) is both retired and an item of this set. Remove one of the two.")
            }
            if successors[mention.id] != nil {
                checker.note(
                    "replaces-conflict", at: mention.path,
                    "\(quoted(mention.id.description)) is both retired and replaced in this set. Keep one of the two.")
            }
        }
    }

    private func noteRepeats(of mentions: [Mention], _ checker: DocumentChecker) {
        var seen: Set<ItemID> = []
        for mention in mentions where !seen.insert(mention.id).inserted {
            checker.note(
                "duplicate-id", at: mention.path,
                "Two items of the set have the id \(quoted(mention.id.description)). Give one of them another id.")
        }
    }
}

extension JSON {
    fileprivate func elements(of name: Text) -> [JSON] {
        guard case .array(let elements)? = self[name] else { return [] }
        return elements
    }

    fileprivate var identifier: ItemID? {
        guard case .string(let text) = self else { return nil }
        return ItemID(text.string)
    }

    fileprivate func identifier(at name: Text) -> ItemID? {
        self[name]?.identifier
    }
}
