/// The document of `POST …/taps`: the result of a tap, without the tapped `userInfo`, which the caller has.
package struct ServedResolution: Sendable {
    /// Nil if the document has an outcome that this version does not know.
    package let outcome: TapOutcome?
    package let item: ServedItem?
    package let url: Text?
    package let refresh: Bool

    package init(_ json: JSON) throws(DocumentRefusal) {
        outcome = TapOutcome(rawValue: try json.required("outcome", "a string", \.asText).string)
        let served = try json.optional("item", "an object") { $0.asMembers == nil ? nil : $0 }
        item = try served.map { json throws(DocumentRefusal) in try ServedItem(json) }
        url = try json.optional("url", "a string", \.asText)
        refresh = try json.required("refresh", "a boolean", \.asBoolean)
    }
}
