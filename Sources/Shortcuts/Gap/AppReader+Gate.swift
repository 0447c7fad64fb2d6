import QuickActions

extension AppReader {
    /// Runs a release check for the admin plane and for the command line.
    /// - Parameter sent: reads the set document to check with, as `PUT …/sets/{version}` accepts it; nil for none. Its violations are
    ///   findings.
    package func findings(
        on candidate: ReleaseCandidate, in snapshot: AppSnapshot, sent: () throws(Failure) -> JSON?
    ) throws(Failure) -> ReleaseCheck.Findings {
        let check = ReleaseCheck(of: candidate, by: try proposal(for: candidate, in: snapshot, sent: sent), in: snapshot)
        return try check.findings { ids, audience throws(Failure) in
            try publishedIDs(among: ids, in: audience, of: snapshot.app.id)
        }
    }

    /// The set that was sent. Without one, the draft that would be in effect if it were published, else the set in effect.
    private func proposal(
        for candidate: ReleaseCandidate, in snapshot: AppSnapshot, sent: () throws(Failure) -> JSON?
    ) throws(Failure) -> ReleaseCheck.Proposal {
        let document: JSON?
        do {
            document = try sent()
        } catch {
            return .refused(error.asViolations(at: ""))
        }
        guard let document else {
            let draft = try draft(effectiveFor: candidate.id.version, candidate.audience, of: snapshot.app.id)
            let effective = snapshot.timeline(for: candidate.audience).effectiveSet(for: candidate.id.version)
            guard let draft, effective.map({ $0.version <= draft.version }) ?? true else { return .inEffect }
            return .draft(draft)
        }
        do {
            return .set(try ShortcutSetDocument(document, defaultLanguage: snapshot.app.defaultLanguage).checked())
        } catch {
            return .refused(error.asViolations(at: ""))
        }
    }
}
