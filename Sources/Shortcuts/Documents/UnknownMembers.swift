import QuickActions

/// Members of a stored document that this program does not know, because a newer node wrote them. They are written back with the document.
package struct UnknownMembers: Hashable, Sendable {
    package let members: [JSON.Member]

    package static let none = UnknownMembers([])

    package init(_ members: [JSON.Member]) {
        self.members = members
    }

    private var text: [UInt8] { members.isEmpty ? [] : JSON.object(members).encoded }

    package static func == (left: UnknownMembers, right: UnknownMembers) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension JSON {
    /// The object with the unknown members after its own.
    func adding(_ unknown: UnknownMembers) -> JSON {
        unknown.members.isEmpty ? self : adding(membersOf: .object(unknown.members))
    }
}

extension ShortcutSet {
    /// The set as this program would have written it.
    var withoutUnknownMembers: ShortcutSet { keepingUnknownMembers(of: ShortcutSet(items: [], retired: [], fallbackURL: nil)) }

    /// Copies the unknown members of the set from which this one was made, item by item.
    func keepingUnknownMembers(of previous: ShortcutSet) -> ShortcutSet {
        ShortcutSet(
            items: items.map { item in
                var item = item
                let before = previous.item(item.id)
                item.unknown = before?.unknown ?? .none
                item.icon = item.icon?.keepingUnknownMembers(of: before?.icon)
                // To this program, an icon that has only unknown members is absent.
                if item.icon == nil, let icon = before?.icon, icon.isUnknown { item.icon = icon }
                item.personal?.unknown = before?.personal?.unknown ?? .none
                return item
            },
            retired: retired.map { entry in
                var entry = entry
                entry.unknown = previous.retired.first { $0.id == entry.id }?.unknown ?? .none
                return entry
            }, fallbackURL: fallbackURL, unknown: previous.unknown)
    }
}

extension ShortcutIcon {
    /// Whether the icon has no member that this program knows.
    var isUnknown: Bool { symbol == nil && file == nil && type == nil }

    fileprivate func keepingUnknownMembers(of previous: ShortcutIcon?) -> ShortcutIcon? {
        let isSame = (symbol, file, type) == (previous?.symbol, previous?.file, previous?.type)
        let icon = ShortcutIcon(symbol: symbol, file: file, type: type, unknown: isSame ? previous?.unknown ?? .none : .none)
        return icon.isUnknown && icon.unknown == .none ? nil : icon
    }
}
