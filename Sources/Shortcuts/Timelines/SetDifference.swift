import QuickActions

/// The difference between the contents of two revisions, by item.
package struct SetDifference: Sendable {
    package struct Move: Sendable {
        package let id: ItemID
        /// Indices, from 0.
        package let from: Int
        package let to: Int
    }

    package struct FieldChange: Sendable {
        /// The name of a member of the item's or the set's document.
        package let field: Text
        /// Nil if the member was absent.
        package let old: JSON?
        package let new: JSON?
    }

    /// In the order of the newer set.
    package let added: [ItemID]
    /// In the order of the older set.
    package let removed: [ItemID]
    /// A smallest set of items whose moves give the new order.
    package let moved: [Move]
    package let changed: [(id: ItemID, fields: [FieldChange])]
    /// The changed members of the set itself: `retired`, `fallbackURL`.
    package let set: [FieldChange]

    /// A deleted set is nil, and counts as empty.
    package init(from old: ShortcutSet?, to new: ShortcutSet?) {
        let old = old ?? .empty
        let new = new ?? .empty
        added = new.items.map(\.id).filter { old.item($0) == nil }
        removed = old.items.map(\.id).filter { new.item($0) == nil }
        moved = Self.moves(from: old.items.map(\.id), to: new.items.map(\.id))
        changed = new.items.compactMap { item in
            guard let previous = old.item(item.id), previous != item else { return nil }
            return (item.id, Self.fields(from: previous.json, to: item.json))
        }
        set = Self.fields(from: old.json, to: new.json, without: ["items"])
    }

    /// The members of a document that differ.
    /// - Parameter old: nil counts as an empty document; a null member counts as absent.
    static func fields(from old: JSON?, to new: JSON, without left: Set<Text> = []) -> [FieldChange] {
        let (old, new) = (old?.members ?? [], new.members)
        let names = old.map(\.name) + new.map(\.name).filter { old[$0] == nil }
        return names.filter { !left.contains($0) }.compactMap { name in
            let (before, after) = (old[name], new[name])
            guard (before ?? .null).encoded != (after ?? .null).encoded else { return nil }
            return FieldChange(field: name, old: before, new: after)
        }
    }

    /// The items of both sets that are not in a longest common subsequence.
    private static func moves(from old: [ItemID], to new: [ItemID]) -> [Move] {
        let places = Dictionary(old.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let common = new.enumerated().compactMap { index, id in places[id].map { Move(id: id, from: $0, to: index) } }
        // A longest increasing subsequence of the old indices, in O(n²): a set has at most 20 items.
        var runs: [[Int]] = []
        for (index, move) in common.enumerated() {
            let before = runs.filter { run in run.last.map { common[$0].from < move.from } ?? true }
            runs.append((before.max { $0.count < $1.count } ?? []) + [index])
        }
        let kept = Set(runs.max { $0.count < $1.count } ?? [])
        return common.indices.filter { !kept.contains($0) }.map { common[$0] }
    }
}

extension ShortcutSet {
    fileprivate static let empty = ShortcutSet(items: [], retired: [], fallbackURL: nil)
}

extension SetDifference {
    package var json: JSON {
        [
            "added": .strings(added), "removed": .strings(removed), "moved": .array(moved.map(\.json)),
            "changed": .array(changed.map { id, fields in ["id": .string(id), "fields": fields.json] }), "set": set.json,
        ]
    }
}

extension SetDifference.Move {
    fileprivate var json: JSON {
        ["id": .string(id), "from": .integer(Int64(from)), "to": .integer(Int64(to))]
    }
}

extension [SetDifference.FieldChange] {
    /// `{"title": {"old": …, "new": …}}`, with null for an absent member.
    var json: JSON {
        .object(map { JSON.Member($0.field, ["old": $0.old ?? .null, "new": $0.new ?? .null]) })
    }
}
