import QuickActions

/// The body of a draft's publish: `{"at"?}`, an RFC 3339 time. Without one it is published now.
package struct PublishDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Parameter now: what lies before it is `time-past`.
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
