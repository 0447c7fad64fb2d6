import ArgumentParser
import QuickActions
import Remote

struct Publish: ServiceCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publish the draft of a set, now or at a time.",
        discussion: """
            With --until, the publish is a campaign: at that time the service restores the previous set. Times are RFC 3339, such as \
            2027-01-31T09:00:00+01:00, or durations such as 90m, 12h or 3d. The duration of --until begins with the publish.

            With --share, the draft becomes a candidate that a percentage of the installations get now. longpress rollout shows and \
            changes it.
            """)

    @Argument(help: "The set, such as com.example.mail/2.0.0 or com.example.mail/2.0.0@member.")
    var set: String
    @OptionGroup var times: PublishOptions
    @Option(help: "When the set reverts to the previous one.")
    var until: String?
    @Option(help: ArgumentHelp("Publish to this percentage of the installations, such as 12.5.", valueName: "percent"))
    var share: String?
    @OptionGroup var plan: RolloutOptions
    @Option(help: "The entity tag of the draft that you have seen, from longpress diff. Another draft is not published.")
    var ifMatch: String?
    @Option(name: .customLong("override"), help: "Reason for publishing without approvals; only for owners; recorded in the audit.")
    var reason: String?
    @OptionGroup var options: AnswerOptions

    typealias Request = (set: SetAddress, at: Timestamp?, until: Timestamp?, message: String?, rollout: JSON?)

    func request(_ read: inout ArgumentReader) -> Request? {
        let set: SetAddress? = read.value("", set)
        let (at, message) = times.read(&read)
        let until = read.time("--until", until, after: at)
        let rollout = self.rollout(&read)
        return set.map { ($0, at, until, message, rollout) }
    }

    private func rollout(_ read: inout ArgumentReader) -> JSON? {
        let steps = plan.members(&read)
        guard let share else {
            if plan.areGiven { read.note("", "--step, --stop-if-lost and --stop-if-below belong to a roll-out. Add --share.") }
            return nil
        }
        if times.at != nil || until != nil { read.note("", "A roll-out begins now and has no end. Remove --at and --until.") }
        let percent: RolloutShare? = read.value("--share", share)
        return steps.adding(membersOf: ["share": percent?.percent])
    }

    func perform(_ request: Request, on service: RemoteService, _ output: Output) throws {
        let before = try service.currentRevision(of: request.set)
        let answer = try RemoteFailure.explaining([
            // The first sentence has the numbers. The others name requests.
            "approval-missing": { error in
                let numbers = error.detail.firstRange(of: ". ").map { error.detail[..<$0.lowerBound] + "." } ?? error.detail[...]
                return "\(numbers) Another person approves the draft with longpress approve \(request.set). An owner can add --override "
                    + "REASON. Nothing was published."
            },
            "precondition-failed": { _ in "\(Approve.isOutdated(request.set)) Nothing was published." },
        ]) { () throws(RemoteFailure) in
            try service.publish(
                request.set, if: ifMatch.map { .tag($0) } ?? .anything, at: request.at, until: request.until,
                message: request.message, rollout: request.rollout, overriding: reason)
        }
        if let share = request.rollout?["share"] {
            let revision = "Revision \(answer.json.integer("revision") ?? 0) of \(request.set)"
            let line = "\(revision) is rolled out to \(share.shown) % of the installations."
            return try output.print(answer.json, [line] + answer.json.warningLines)
        }
        guard before == nil || answer.json.integer("revision") != before else {
            let lines = ["The draft of \(request.set) equals the published set, revision \(before ?? 0). Nothing changed."]
            return try output.print(answer.json, lines + (request.until == nil ? [] : ["No automatic revert is scheduled."]))
        }
        let end = request.until.map { ["It reverts automatically at \($0.shortText)."] } ?? []
        try output.print(answer.json, answer.publishLines(request.set.description, end, of: request.set.app))
    }
}

/// The options of `publish` and `restore`.
struct PublishOptions: ParsableArguments {
    @Option(help: "When it takes effect; now by default.")
    var at: String?
    @Option(help: "What changes and why, in at most 200 characters; shown in the history.")
    var message: String?

    var areGiven: Bool { at != nil || message != nil }

    func read(_ read: inout ArgumentReader) -> (at: Timestamp?, message: String?) {
        (read.time("--at", at), read.message(message))
    }
}

extension RemoteService.Answer {
    /// The answer to a publish or a restore for a person.
    /// - Parameters:
    ///   - subject: what was published: a set, or `revision 8 of com.example.mail`.
    ///   - end: sentences about the end of a campaign.
    func publishLines(_ subject: String, _ end: [String] = [], of app: AppID) -> [String] {
        guard let at = json.text("at"), let id = json.text("id") else {
            return ["Published \(subject) as revision \(json.integer("revision") ?? 0)."] + end + json.warningLines
        }
        return ["Scheduled \(subject) for \(at)."] + end + ["Cancel it with: longpress schedule cancel \(id) --app \(app)"]
    }
}
