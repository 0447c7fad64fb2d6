/// What became of every id that is known up to a version: what `GET …/continuity` answers.
package struct ContinuityTable: Sendable {
    package struct Entry: Sendable, Hashable {
        /// `current` for a live item: its action hash tells `changed` from it.
        package let outcome: TapOutcome
        /// The item to act on.
        package let item: ItemID?
        /// The hash of what that item does.
        package let action: Text?
        /// Where to fall back to where there is no item.
        package let url: Text?
    }

    package let subject: ServedSubject
    private let entries: [ItemID: Entry]
    /// What an id that is not listed comes to: `removed`, with the nearest fallback.
    package let otherwise: Entry

    package init(_ json: JSON) throws(DocumentRefusal) {
        subject = try ServedSubject(json)
        var entries: [ItemID: Entry] = [:]
        for member in try json.required("ids", "an object", \.asMembers) {
            guard let id = ItemID(member.name.string) else { throw .malformed("\(quoted(member.name.string)) is no id") }
            entries[id] = try Entry(member.value)
        }
        self.entries = entries
        // Documents of the first servers have none.
        let otherwise = try json.optional("otherwise", "an object") { $0.asMembers == nil ? nil : $0 }
        self.otherwise = try otherwise.map { json throws(DocumentRefusal) in try Entry(json) } ?? Entry(outcome: .removed)
    }

    package subscript(id: ItemID) -> Entry { entries[id] ?? otherwise }
}

extension ContinuityTable.Entry {
    fileprivate init(outcome: TapOutcome) {
        self.init(outcome: outcome, item: nil, action: nil, url: nil)
    }

    fileprivate init(_ json: JSON) throws(DocumentRefusal) {
        outcome = try json.required("outcome", "an outcome") { $0.asText.flatMap { TapOutcome(rawValue: $0.string) } }
        item = try json.optional("item", "an id") { $0.asText.flatMap { ItemID($0.string) } }
        action = try json.optional("action", "a string", \.asText)
        url = try json.optional("url", "a string", \.asText)
    }
}
