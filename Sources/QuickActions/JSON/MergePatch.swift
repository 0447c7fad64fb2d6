extension JSON {
    /// RFC 7396: members of the patch replace, null removes, objects are merged, anything else replaces the whole.
    package func merging(_ patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [Member] = []
        if case .object(let mine) = self { members = mine }
        var places = Dictionary(members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var removed: Set<Int> = []
        for change in changes {
            let place = places[change.name]
            if change.value.isNull {
                if let place { removed.insert(place) }
                continue
            }
            let member = Member(change.name, (place.map { members[$0].value } ?? .null).merging(change.value))
            if let place {
                members[place] = member
            } else {
                places[change.name] = members.count
                members.append(member)
            }
        }
        return .object(members.indices.filter { !removed.contains($0) }.map { members[$0] })
    }
}
