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
            reason: "Symbols, asset names and system icon types exist only on iOS. Add an image for the item's id.")
    }

    static func targetContentIdentifier(of item: ShortcutItem) -> Omission? {
        guard let identifier = item.targetContentIdentifier else { return nil }
        return Omission(
            item: item.id, member: "targetContentIdentifier",
            reason: "\(quoted(identifier.string)) selects an iOS scene and has no counterpart in this format. Put it in the url.")
    }
}
