import QuickActions

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
