import QuickActions

/// The body of `POST …/sets/{version}/publish`: `{"at"?}`, an RFC 3339 time; without it the draft is published now.
package struct PublishDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Parameter now: a time at or before it is the violation `time-past`.
    /// - Returns: nil for now.
    package func checked(now: Timestamp) throws(Failure) -> Timestamp? {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["at"])
        let at = document?.optional("at", checker.instant)
        if let at, at <= now {
            checker.note(
                "time-past", at: .root["at"], "\(at) is not in the future (it is \(now)). Give a later time, or none to publish now.")
        }
        try checker.finish()
        return at
    }
}
