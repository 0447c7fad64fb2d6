import QuickActions

/// A three-way merge of two changes of a set, by item and member. Each language of a title or subtitle is a member, and so is each retired
/// id. A change of one side and equal changes of both are merged. Different changes of one member conflict.
///
/// The sides are documents as `PUT` accepts them, but need not be valid: their items have ids, each once. The merged set may break a rule
/// that both sides keep, for example the limit of items.
package struct SetMerge: Sendable {
    /// The values of the common ancestor and of both sides.
    package struct Sides<Value> {
        package let base, mine, theirs: Value

        package init(base: Value, mine: Value, theirs: Value) {
            (self.base, self.mine, self.theirs) = (base, mine, theirs)
        }

        func map<Other>(_ transform: (Value) -> Other) -> Sides<Other> {
            Sides<Other>(base: transform(base), mine: transform(mine), theirs: transform(theirs))
        }

        fileprivate var all: [Value] { [base, mine, theirs] }
    }

    /// A member that both sides changed differently.
    package struct Conflict: Sendable {
        /// Nil for a member of the set.
        package let item: Text?
        /// The name of a member, such as `url`, `title.en` or `retired.search`; `removed` if one side removed the item that the other one
        /// changed; `order` for the order of the items.
        package let member: Text
        /// Nil for a side that lacks the member.
        package let sides: Sides<JSON?>

        /// Names the conflict in `Choices`: item and member, separated by a space. The item is `set` for a member of the set.
        package var key: Text { Text("\(item?.string ?? "set") \(member.string)") }
    }

    package enum Side: String, Sendable {
        case mine, theirs
    }

    /// By the conflict's key.
    package typealias Choices = [Text: Side]

    /// The merged document. For a conflict without a choice, it has the value of `mine`.
    package private(set) var set: JSON = [:]
    /// In the order of the items; those of the set come last.
    package private(set) var conflicts: [Conflict] = []
    private let choices: Choices

    /// - Parameter sides: nil for a side without a set, which counts as a set without items.
    package init(_ sides: Sides<JSON?>, choices: Choices = [:]) {
        self.choices = choices
        let sides = sides.map { MergedSide($0 ?? ["items": []]) }
        var items: [Text: JSON] = [:]
        for id in unique(sides.all.flatMap(\.ids)) { items[id] = item(id, sides.map { $0.items[id] }) }
        let order = order(sides.map(\.ids)).compactMap { items[$0] }
        let retired = merged(nil, sides.map(\.retired), of: "retired.").map(\.value)
        var members = [JSON.Member("items", .array(order))]
        if !retired.isEmpty { members.append(JSON.Member("retired", .array(retired))) }
        set = .object(members + merged(nil, sides.map(\.others)))
    }

    private mutating func decide(_ item: Text?, _ member: Text, _ values: Sides<JSON?>) -> JSON? {
        let texts = values.map { $0?.canonical.encoded }
        if texts.mine == texts.theirs || texts.theirs == texts.base { return values.mine }
        if texts.mine == texts.base { return values.theirs }
        let conflict = Conflict(item: item, member: member, sides: values)
        conflicts.append(conflict)
        return choices[conflict.key] == .theirs ? values.theirs : values.mine
    }

    private mutating func item(_ id: Text, _ sides: Sides<JSON?>) -> JSON? {
        guard let mine = sides.mine, let theirs = sides.theirs else {
            return sides.base == nil ? sides.mine ?? sides.theirs : decide(id, "removed", sides)
        }
        let sides = Sides(base: sides.base ?? [:], mine: mine, theirs: theirs)
        let title = merged(id, sides.map { $0["title"]?.members ?? [] }, of: "title.")
        let subtitle = merged(id, sides.map { $0["subtitle"]?.members ?? [] }, of: "subtitle.")
        let others = merged(id, sides.map { $0.members.filter { !["id", "title", "subtitle"].contains($0.name) } })
        let texts: JSON = ["id": .string(id), "title": .object(title), "subtitle": subtitle.isEmpty ? nil : .object(subtitle)]
        return .object(texts.members + others)
    }

    /// - Parameter prefix: of the names of conflicts.
    private mutating func merged(_ item: Text?, _ sides: Sides<[JSON.Member]>, of prefix: String = "") -> [JSON.Member] {
        let values = sides.map { Dictionary($0.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }) }
        return unique(sides.all.flatMap { $0.map(\.name) }).compactMap { name in
            decide(item, Text(prefix + name.string), values.map { $0[name] }).map { JSON.Member(name, $0) }
        }
    }

    /// The ids in the order of the side that changed the order. An item that the other side added follows the same item as there, or is
    /// last. If both sides added items at one place, those of the leading side come first.
    private mutating func order(_ ids: Sides<[Text]>) -> [Text] {
        let (inMine, inTheirs) = (Set(ids.mine), Set(ids.theirs))
        let common = Set(ids.base).intersection(inMine).intersection(inTheirs)
        let orders = ids.map { JSON.array($0.filter(common.contains).map { .string($0) }) }
        let chosen = decide(nil, "order", orders.map { Optional($0) })?.encoded
        let followsMine = chosen == orders.mine.encoded && chosen != orders.base.encoded
        let (leading, following) = followsMine ? (ids.mine, ids.theirs) : (ids.theirs, ids.mine)
        let isLeading = followsMine ? inMine : inTheirs
        let isFollowing = followsMine ? inTheirs : inMine
        let end = following.lastIndex(where: isLeading.contains).map { $0 + 1 } ?? 0
        var order = leading
        var inserted: Set<Text> = []
        for (index, id) in following.enumerated() where !isLeading.contains(id) {
            guard index < end else {
                order.append(id)
                continue
            }
            let previous = index == 0 ? nil : following[index - 1]
            var place = previous.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            if previous.map({ !inserted.contains($0) }) ?? true {
                while place < order.count, !isFollowing.contains(order[place]) { place += 1 }
            }
            order.insert(id, at: place)
            inserted.insert(id)
        }
        return order
    }
}

extension SetMerge.Sides: Sendable where Value: Sendable {}

/// A side by item, without members that have their default value, so that sides can be compared.
private struct MergedSide {
    let ids: [Text]
    let items: [Text: JSON]
    /// The entries by id.
    let retired: [JSON.Member]
    /// The other members of the set.
    let others: [JSON.Member]

    init(_ set: JSON) {
        let items = set.identified("items")
        ids = items.map(\.name)
        self.items = Dictionary(items.map { ($0.name, $0.value.withoutDefaults) }, uniquingKeysWith: { first, _ in first })
        retired = set.identified("retired")
        others = set.members.filter { $0.name != "items" && $0.name != "retired" && !$0.value.isNull }
    }
}

extension JSON {
    /// The elements of an array that have an id, by it.
    fileprivate func identified(_ name: Text) -> [Member] {
        guard case .array(let elements)? = self[name] else { return [] }
        return elements.compactMap { element in element.members.text("id").map { Member($0, element) } }
    }

    fileprivate var withoutDefaults: JSON {
        .object(
            members.filter { member in
                switch (member.name.string, member.value) {
                case (_, .null), ("enabled", .boolean(true)): false
                case ("replaces", .array(let elements)): !elements.isEmpty
                case ("subtitle", .object(let members)), ("userInfo", .object(let members)), ("icon", .object(let members)):
                    !members.isEmpty
                default: true
                }
            }.map { member in
                guard member.name == "personal", case .object(let members) = member.value else { return member }
                return Member(member.name, .object(members.filter { !$0.isDefaultOfPersonal }))
            })
    }
}

extension JSON.Member {
    fileprivate var isDefaultOfPersonal: Bool {
        switch (name.string, value) {
        case (_, .null), ("limit", .integer(1)): true
        case ("sample", .object(let members)): members.isEmpty
        default: false
        }
    }
}

private func unique(_ names: [Text]) -> [Text] {
    var seen: Set<Text> = []
    return names.filter { seen.insert($0).inserted }
}
