import QuickActions

/// The body of `POST …/merge`: `{"base", "mine", "theirs", "choices"?}`. A side that is null or absent has no set.
package struct MergeDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Throws: `invalidDocument`.
    package func merged() throws(Failure) -> SetMerge {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["base", "mine", "theirs", "choices"])
        func side(_ name: String) -> JSON? {
            document?.optional(name) { json, path in
                Self.check(json, at: path, checker)
                return json
            }
        }
        let sides = SetMerge.Sides(base: side("base"), mine: side("mine"), theirs: side("theirs"))
        let choices = document?.optional("choices") { json, path in
            checker.entries(of: json, at: path) { name, json, path in Self.side(json, at: path, checker).map { (name, $0) } }
        }
        try checker.finish()
        return SetMerge(sides, choices: Dictionary(choices ?? [], uniquingKeysWith: { first, _ in first }))
    }

    /// Checks as much of a set as a merge needs: drafts that cannot be saved yet are merged, too.
    private static func check(_ set: JSON, at path: DocumentPath, _ checker: DocumentChecker) {
        guard case .object = set else { return checker.mismatch(set, at: path, wanted: "a set") }
        for (name, limit) in [("items", ShortcutSetDocument.maxItems), ("retired", ShortcutSetDocument.maxRetired)] {
            guard let list = set[Text(name)], !list.isNull else { continue }
            var ids: Set<Text> = []
            for (index, element) in (checker.array(list, at: path[Text(name)], atMost: limit) ?? []).enumerated() {
                let path = path[Text(name)][index]
                guard let id = element.members.text("id") else {
                    checker.note("required", at: path["id"], "\(path["id"]) is missing, or not a string. Add it.")
                    continue
                }
                guard !ids.insert(id).inserted else { continue }
                checker.note("duplicate-id", at: path["id"], "\(quoted(id.string)) occurs twice. Keep one of them.")
            }
        }
    }

    private static func side(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> SetMerge.Side? {
        guard case .string(let text) = json, let side = SetMerge.Side(rawValue: text.string) else {
            checker.note("type-mismatch", at: path, "\(path) must be \"mine\" or \"theirs\".")
            return nil
        }
        return side
    }
}

extension SetMerge {
    /// The answer to a merge.
    package var json: JSON {
        ["set": set, "conflicts": .array(conflicts.map(\.json))]
    }
}

extension SetMerge.Conflict {
    /// A side that lacks the member is left out.
    package var json: JSON {
        [
            "key": .string(key), "item": item.map { .string($0) } ?? .null, "member": .string(member), "base": sides.base,
            "mine": sides.mine, "theirs": sides.theirs,
        ]
    }
}
