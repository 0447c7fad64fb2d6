import QuickActions

/// When a publish takes effect, when it reverts, and why it is made.
package struct PublishOptions: Sendable {
    /// Nil means now.
    package let at: Timestamp?
    /// The time of the automatic revert, later than `at`; nil for none.
    package let until: Timestamp?
    package let message: RevisionMessage?
}

/// The body of `POST …/sets/{version}/publish`, `{"at"?, "until"?, "message"?}`, and of `POST …/revisions/{revision}/restore`, `{"at"?,
/// "message"?}`. The times are RFC 3339.
package struct PublishDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Parameters:
    ///   - now: a time at or before it is the violation `time-past`, as is an `until` that is not after `at`.
    ///   - mayEnd: whether `until` is allowed.
    package func checked(now: Timestamp, mayEnd: Bool) throws(Failure) -> PublishOptions {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: mayEnd ? ["at", "until", "message"] : ["at", "message"])
        let at = document?.optional("at", checker.instant)
        let until = document?.optional("until", checker.instant)
        let message = document?.optional("message", checker.revisionMessage)
        if let at { checker.requireFuture(at, at: .root["at"], now: now, orElse: "or leave it out to publish now") }
        if let until {
            if let at, at > now, until <= at {
                checker.note(
                    "time-past", at: .root["until"],
                    "\(until) is not after \(at), when the publish takes effect. Use a later time, or leave it out for no end.")
            } else {
                checker.requireFuture(until, at: .root["until"], now: now, orElse: "or leave it out for no end")
            }
        }
        try checker.finish()
        return PublishOptions(at: at, until: until, message: message)
    }
}

extension DocumentChecker {
    /// - Parameter orElse: the alternative, as a clause.
    package func requireFuture(_ time: Timestamp, at path: DocumentPath, now: Timestamp, orElse: String) {
        guard time <= now else { return }
        note("time-past", at: path, "\(time) is not in the future (it is \(now)). Use a later time, \(orElse).")
    }
}
