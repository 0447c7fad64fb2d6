import QuickActions

/// A planned share of a roll-out.
package struct PlannedShare: Sendable {
    package let at: Timestamp
    package let share: RolloutShare
}

/// The share of a roll-out, its steps and its guard.
package struct RolloutSettings: Sendable {
    package static let maxSteps = 50

    package let share: RolloutShare
    /// Ascending by time and share. Nil leaves the steps unchanged.
    package let steps: [PlannedShare]?
    package let `guard`: RolloutGuard?

    package init(share: RolloutShare, steps: [PlannedShare]? = nil, guard: RolloutGuard? = nil) {
        (self.share, self.steps, self.guard) = (share, steps, `guard`)
    }
}

/// The body of `PATCH …/candidate`: a merge patch of `{"share", "steps", "guard"}`.
package struct CandidatePatch: Sendable {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Throws: `invalidDocument`. Steps that the patch does not name are not checked: a share may overtake them.
    package func settings(of rollout: RunningRollout, now: Timestamp) throws(Failure) -> RolloutSettings {
        let keepsSteps = json["steps"] == nil
        var document = rollout.settings.merging(json)
        if keepsSteps, case .object(let members) = document { document = .object(members.filter { $0.name != "steps" }) }
        let checker = DocumentChecker()
        let settings = checker.object(document, at: .root, known: ["share", "steps", "guard"])?.rolloutSettings(now: now)
        try checker.finish()
        guard let settings else { throw .invalidDocument([]) }
        let steps = keepsSteps ? nil : settings.steps ?? []
        return RolloutSettings(share: settings.share, steps: steps, guard: settings.guard)
    }
}

extension CheckedObject {
    /// The members `share`, `steps` and `guard`. Nil after it noted a violation.
    /// - Parameter now: a step at or before it is the violation `time-past`.
    func rolloutSettings(now: Timestamp) -> RolloutSettings? {
        let share = required("share", checker.rolloutShare)
        let steps =
            has("steps") ? list("steps", atMost: RolloutSettings.maxSteps) { checker.plannedShare($0, at: $1, now: now) } : nil
        let limits = rolloutGuard
        guard let share else { return nil }
        checker.requireRising([(nil, share)] + (steps ?? []).map { ($0.at, $0.share) }, at: path(of: "steps"))
        return RolloutSettings(share: share, steps: steps, guard: limits)
    }

    var rolloutGuard: RolloutGuard? {
        let limits = optional("guard") { checker.object($0, at: $1, known: ["lost", "worse"]) }
        return RolloutGuard(lost: limits?.optional("lost", checker.limit), worse: limits?.optional("worse", checker.limit))
    }
}

extension DocumentChecker {
    func rolloutShare(_ json: JSON, at path: DocumentPath) -> RolloutShare? {
        percentage(json, at: path, rule: RolloutShare.rule) { _ in true }
    }

    /// - Parameters:
    ///   - rule: the message for a number that is not one.
    ///   - isValid: whether this percentage may be used here.
    private func percentage(
        _ json: JSON, at path: DocumentPath, rule: (String) -> String, where isValid: (RolloutShare) -> Bool
    ) -> RolloutShare? {
        if let share = RolloutShare(percent: json), isValid(share) { return share }
        switch json {
        case .integer, .real, .outOfRange: note("share-invalid", at: path, rule(String(decoding: json.encoded, as: UTF8.self)))
        default: mismatch(json, at: path, wanted: "a number, the percentage")
        }
        return nil
    }

    fileprivate func plannedShare(_ json: JSON, at path: DocumentPath, now: Timestamp) -> PlannedShare? {
        guard let step = object(json, at: path, known: ["at", "share"]) else { return nil }
        let time = step.required("at", instant)
        let share = step.required("share", rolloutShare)
        if let time { requireFuture(time, at: path["at"], now: now, orElse: "or change the share now") }
        guard let time, let share else { return nil }
        return PlannedShare(at: time, share: share)
    }

    /// - Parameter steps: the current share, without a time, and the steps.
    fileprivate func requireRising(_ steps: [(at: Timestamp?, share: RolloutShare)], at path: DocumentPath) {
        for (index, (step, next)) in zip(steps, steps.dropFirst()).enumerated() {
            if let time = next.at, let before = step.at, time <= before {
                note("step-order", at: path[index]["at"], "\(time) is not after \(before), the step before it. Order steps by time.")
            }
            if next.share <= step.share {
                note(
                    "step-order", at: path[index]["share"],
                    "\(next.share.text) % is not above \(step.share.text) %, the share before it. Steps only raise the share.")
            }
        }
    }

    fileprivate func limit(_ json: JSON, at path: DocumentPath) -> RolloutShare? {
        let rule = { (text: String) in
            "\(text) is not a limit. Use a percentage above 0 and up to 100 with at most two decimals, or leave the limit out."
        }
        return percentage(json, at: path, rule: rule) { $0.threshold > 0 }
    }
}
