import QuickActions

/// The body of a release check: `{"version", "audience"?, "set"?, "infoPlist"?, "assets"?}`.
package struct ReleaseCheckDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Returns: the candidate, and the set document before validation, because its violations are findings of the check.
    package func checked() throws(Failure) -> (candidate: ReleaseCandidate, set: JSON?) {
        let checker = DocumentChecker()
        let read = read(checker)
        try checker.finish()
        guard let read else { throw .invalidDocument([]) }
        return read
    }

    private func read(_ checker: DocumentChecker) -> (ReleaseCandidate, JSON?)? {
        let known: Set = ["version", "audience", "set", "infoPlist", "assets"]
        guard let document = checker.object(json, at: .root, known: known) else { return nil }
        let id = document.required("version", checker.appBuild)
        let audience = document.optional("audience", checker.audience)
        let set = document.optional("set") { json, _ in json }
        let infoPlist = document.optional("infoPlist") { checker.base64($0, at: $1) }
        let assets = document.optional("assets", checker.assets)
        guard let id else { return nil }
        return (ReleaseCandidate(id: id, audience: audience ?? .default, infoPlist: infoPlist, assets: assets), set)
    }
}
