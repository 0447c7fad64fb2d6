extension AppReader {
    /// What a release gate says, on the admin plane and on the command line.
    ///
    /// - Parameter sent: the set to judge the release by, as PUT takes it. What is wrong with it is a finding.
    package func findings(
        on candidate: ReleaseCandidate, in snapshot: AppSnapshot, sent: () throws(Failure) -> JSON?
    ) throws(Failure) -> ReleaseCheck.Findings {
        let check = ReleaseCheck(of: candidate, by: proposal(in: snapshot, sent: sent), in: snapshot)
        return try check.findings { ids, audience throws(Failure) in
            try publishedIDs(among: ids, in: audience, of: snapshot.app.id)
        }
    }

    /// The set that was sent, else the one in effect.
    private func proposal(in snapshot: AppSnapshot, sent: () throws(Failure) -> JSON?) -> ReleaseCheck.Proposal {
        do {
            guard let document = try sent() else { return .inEffect }
            return .set(try ShortcutSetDocument(document, defaultLanguage: snapshot.app.defaultLanguage).checked())
        } catch {
            return .refused(error.asViolations(at: ""))
        }
    }
}
