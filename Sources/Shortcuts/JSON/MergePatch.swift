extension JSON {
    /// RFC 7396: members of the patch replace, null removes, objects are merged, anything else replaces the whole.
    package func merging(_ patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [Member] = []
        if case .object(let mine) = self { members = mine }
        for change in changes {
            let place = members.firstIndex { $0.name == change.name }
            if change.value.isNull {
                if let place { members.remove(at: place) }
            } else {
                let former = place.map { members[$0].value } ?? .null
                let member = Member(change.name, former.merging(change.value))
                if let place { members[place] = member } else { members.append(member) }
            }
        }
        return .object(members)
    }
}
