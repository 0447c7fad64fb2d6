import QuickActions

extension Timeline {
    /// Checks that no id gets another meaning: an id that a set replaces or retires cannot be an item of a later set.
    /// - Throws: `idReused`.
    func requireNoReusedIDs(in set: ShortcutSet, from version: AppVersion) throws(Failure) {
        let violations = reusedIDs(in: set, from: version)
        guard violations.isEmpty else {
            let named = violations.map(\.message).joined(separator: " ")
            throw Failure(.idReused, named, violations: violations)
        }
    }

    /// A violation for each id that would have two meanings if the set began at the version.
    func reusedIDs(in set: ShortcutSet, from version: AppVersion) -> [Violation] {
        var violations: [Violation] = []
        let ended = set.succeededIDs
        for other in sets where other.version != version {
            let isEarlier = other.version < version
            let endedHere = isEarlier ? other.set.succeededIDs : ended
            for (index, item) in (isEarlier ? set : other.set).items.enumerated() where endedHere.contains(item.id) {
                let path = isEarlier ? DocumentPath.root["items"][index]["id"].description : ""
                let reason =
                    isEarlier
                    ? "the set of \(other.version) (revision \(other.revision)) replaces or retires it. Give the item a new id"
                    : "it is an item of the later set of \(other.version) (revision \(other.revision)). Do not replace or retire it here"
                violations.append(
                    Violation(
                        path: path, code: "id-reused",
                        message: "\(quoted(item.id.description)) would get a second meaning: \(reason)."))
            }
        }
        return violations
    }
}
