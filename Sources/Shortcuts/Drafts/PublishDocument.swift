import QuickActions

/// When a publish takes effect, when it reverts, and why it is made.
package struct PublishOptions: Sendable {
    /// Nil means now.
    package let at: Timestamp?
    /// The time of the automatic revert, later than `at`; nil for none.
    package let until: Timestamp?
    package let message: RevisionMessage?
    /// With a share, the draft becomes a candidate; nil to publish for everyone.
    package let rollout: RolloutSettings?

    package init(
        at: Timestamp? = nil, until: Timestamp? = nil, message: RevisionMessage? = nil, rollout: RolloutSettings? = nil
    ) {
        (self.at, self.until, self.message, self.rollout) = (at, until, message, rollout)
    }
}

/// The body of `POST …/sets/{version}/publish`, `{"at"?, "until"?, "message"?, "share"?, "steps"?, "guard"?}`, and of
/// `POST …/revisions/{revision}/restore`, `…/candidate/promote` and `…/candidate/stop`, `{"at"?, "message"?}`. The times are RFC 3339.
package struct PublishDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Parameters:
    ///   - now: a time at or before it is the violation `time-past`, as is an `until` that is not after `at`.
    ///   - mayEnd: whether `until` and the settings of a roll-out are allowed.
    package func checked(now: Timestamp, mayEnd: Bool) throws(Failure) -> PublishOptions {
        let checker = DocumentChecker()
        let ofDrafts: Set = ["until", "share", "steps", "guard"]
        let document = checker.object(json, at: .root, known: ofDrafts.filter { _ in mayEnd }.union(["at", "message"]))
        let at = document?.optional("at", checker.instant)
        let until = document?.optional("until", checker.instant)
        let message = document?.optional("message", checker.revisionMessage)
        if let at { checker.requireFuture(at, at: .root["at"], now: now, orElse: "or leave it out to do it now") }
        if let until {
            if let at, at > now, until <= at {
                checker.note(
                    "time-past", at: .root["until"],
                    "\(until) is not after \(at), when the publish takes effect. Use a later time, or leave it out for no end.")
            } else {
                checker.requireFuture(until, at: .root["until"], now: now, orElse: "or leave it out for no end")
            }
        }
        if mayEnd, json["share"]?.isNull ?? false {
            checker.note("required", at: .root["share"], "share is null. Use a percentage, or leave it out to publish to everyone.")
        }
        let rollout = document.flatMap { checker.rollout($0, now: now) }
        try checker.finish()
        return PublishOptions(at: at, until: until, message: message, rollout: rollout)
    }
}

extension DocumentChecker {
    /// Nil for a publish to everyone.
    fileprivate func rollout(_ document: CheckedObject, now: Timestamp) -> RolloutSettings? {
        guard document.has("share") else {
            for name in ["steps", "guard"] where document.has(name) {
                note("required", at: .root["share"], "\(name) belongs to a roll-out. Add share, the percentage that it begins with.")
            }
            return nil
        }
        for name in ["at", "until"] where document.has(name) {
            note(
                "unknown-member", at: .root[Text(name)],
                "A roll-out begins now and has no end. Leave \(name) out. To begin later, use share 0 and steps.")
        }
        return document.rolloutSettings(now: now)
    }

    /// - Parameter orElse: the alternative, as a clause.
    package func requireFuture(_ time: Timestamp, at path: DocumentPath, now: Timestamp, orElse: String) {
        guard time <= now else { return }
        note("time-past", at: path, "\(time) is not in the future (it is \(now)). Use a later time, \(orElse).")
    }
}
