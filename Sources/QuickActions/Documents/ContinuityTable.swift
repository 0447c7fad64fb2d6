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

    package let subject: ServedSubject
    private let entries: [ItemID: Entry]
    /// The entry of an id that is not listed: `removed`, with the nearest fallback.
    package let otherwise: Entry

    package init(_ json: JSON) throws(DocumentError) {
        subject = try ServedSubject(json)
        var entries: [ItemID: Entry] = [:]
        for member in try json.required("ids", "an object", \.asMembers) {
            guard let id = ItemID(member.name.string) else { throw .malformed("\(quoted(member.name.string)) is not an id") }
            entries[id] = try Entry(member.value)
        }
        self.entries = entries
        // Documents of earlier versions of the service do not have it.
        let otherwise = try json.optional("otherwise", "an object") { $0.asMembers == nil ? nil : $0 }
        self.otherwise = try otherwise.map { json throws(DocumentError) in try Entry(json) } ?? Entry(outcome: .removed)
    }

    package subscript(id: ItemID) -> Entry { entries[id] ?? otherwise }
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
