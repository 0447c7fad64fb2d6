/// The document of `GET …/continuity`: what a tap on each known id means for a version.
package struct ContinuityTable: Sendable {
    /// The result of a tap on an id.
    package struct Entry: Sendable, Hashable {
        /// `current` if the item exists. The action hash of the tap decides whether the item is `changed`.
        package let outcome: TapOutcome
        /// The item to act on.
        package let item: ItemID?
        /// The action hash of that item.
        package let action: Text?
        /// The fallback; nil if there is an item.
        package let url: Text?
    }

    /// The results in one arm.
    fileprivate struct Entries: Sendable {
        let ids: [ItemID: Entry]
        let otherwise: Entry
    }

    package private(set) var subject: ServedSubject
    private var entries: Entries
    /// Nil if no roll-out runs.
    private let rollout: (id: String, revision: Int64, entries: Entries)?

    package init(_ json: JSON) throws(DocumentError) {
        subject = try ServedSubject(json)
        entries = try Entries(json)
        let rollout = try json.optional("rollout", "an object") { $0.asMembers == nil ? nil : $0 }
        self.rollout = try rollout.map { json throws(DocumentError) in
            let id = try json.required("id", "a string", \.asText).string
            return (id, try json.required("revision", "an integer", \.asInteger), try Entries(json))
        }
    }

    /// The entry of an id that is not listed: `removed`, with the nearest fallback.
    package var otherwise: Entry { entries.otherwise }

    package subscript(id: ItemID) -> Entry { entries.ids[id] ?? otherwise }

    /// See `ServedMenu.seen(in:of:)`.
    package func seen(in arm: RolloutArm, of rollout: String) -> ContinuityTable {
        guard arm == .candidate, let candidate = self.rollout, candidate.id == rollout else { return self }
        var table = self
        table.entries = candidate.entries
        table.subject = subject.at(candidate.revision)
        return table
    }
}

extension ContinuityTable.Entries {
    init(_ json: JSON) throws(DocumentError) {
        var ids: [ItemID: ContinuityTable.Entry] = [:]
        for member in try json.required("ids", "an object", \.asMembers) {
            guard let id = ItemID(member.name.string) else { throw .malformed("\(quoted(member.name.string)) is not an id") }
            ids[id] = try ContinuityTable.Entry(member.value)
        }
        self.ids = ids
        // Documents of earlier versions of the service do not have it.
        let otherwise = try json.optional("otherwise", "an object") { $0.asMembers == nil ? nil : $0 }
        self.otherwise =
            try otherwise.map { json throws(DocumentError) in try ContinuityTable.Entry(json) } ?? ContinuityTable.Entry(outcome: .removed)
    }
}

extension ContinuityTable.Entry {
    fileprivate init(outcome: TapOutcome) {
        self.init(outcome: outcome, item: nil, action: nil, url: nil)
    }

    fileprivate init(_ json: JSON) throws(DocumentError) {
        outcome = try json.required("outcome", "an outcome") { $0.asText.flatMap { TapOutcome(rawValue: $0.string) } }
        item = try json.optional("item", "an id") { $0.asText.flatMap { ItemID($0.string) } }
        action = try json.optional("action", "a string", \.asText)
        url = try json.optional("url", "a string", \.asText)
    }
}
