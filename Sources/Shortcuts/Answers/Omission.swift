import QuickActions

/// A part of an item that a rendering cannot express, with the reason.
struct Omission {
    let item: ItemID
    /// The path of an omitted member of the item, or the rendering's member that was shortened; nil for the whole item.
    let member: String?
    /// A sentence with the value and the remedy.
    let reason: String

    var json: JSON {
        ["item": .string(item), "member": .optional(member), "reason": .string(reason)]
    }
}

extension Omission {
    static func icon(of item: ShortcutItem) -> Omission? {
        guard let icon = item.icon, !icon.isUnknown else { return nil }
        return Omission(
            item: item.id, member: "icon",
            reason: "Symbols, asset names and system types are iOS's own and no image is known for them: add one by the item's id.")
    }

    static func targetContentIdentifier(of item: ShortcutItem) -> Omission? {
        guard let identifier = item.targetContentIdentifier else { return nil }
        return Omission(
            item: item.id, member: "targetContentIdentifier",
            reason: "\(quoted(identifier.string)) chooses an iOS scene and has no counterpart here: say it in the url.")
    }
}
