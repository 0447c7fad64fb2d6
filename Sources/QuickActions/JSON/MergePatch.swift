extension JSON {
    /// Applies a merge patch (RFC 7396), in time linear in the number of members.
    package func merging(_ patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [Member] = []
        if case .object(let current) = self { members = current }
        var indices = Dictionary(members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var removed: Set<Int> = []
        for change in changes {
            let index = indices[change.name]
            if change.value.isNull {
                if let index { removed.insert(index) }
                continue
            }
            let member = Member(change.name, (index.map { members[$0].value } ?? .null).merging(change.value))
            if let index {
                members[index] = member
            } else {
                indices[change.name] = members.count
                members.append(member)
            }
        }
        return .object(members.indices.filter { !removed.contains($0) }.map { members[$0] })
    }
}
