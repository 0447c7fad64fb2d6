/// The candidate of a running roll-out, beside the menu that other installations get.
package struct ServedRollout: Sendable, Hashable {
    package let id: String
    package let share: RolloutShare
    package let revision: Int64
    let items: [ServedItem]
    let personal: [ServedPersonalItem]
    /// Only a bundle has disabled items.
    let disabled: [ServedItem]
    let disabledPersonal: [ServedPersonalItem]

    init(_ json: JSON, for client: AppBuild?) throws(DocumentError) {
        id = try json.required("id", "a string", \.asText).string
        share = try json.required("threshold", "an integer from 0 to \(RolloutShare.whole)") { json in
            json.asInteger.flatMap { Int(exactly: $0) }.flatMap(RolloutShare.init)
        }
        revision = try json.required("revision", "an integer", \.asInteger)
        (items, personal) = try json.menuItems(for: client)
        disabled = try json.items("disabled", for: client)
        disabledPersonal = try json.personalItems("disabledPersonal", for: client)
    }
}
