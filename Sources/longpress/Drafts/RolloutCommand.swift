import ArgumentParser
import QuickActions
import Remote

struct RolloutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout", abstract: "Show and change a roll-out, which publish --share starts.",
        subcommands: [ShowRollout.self, ShareRollout.self, PromoteRollout.self, StopRollout.self])
}

struct ShowRollout: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a set's roll-out, its steps and its result. If none runs, show the last one.")

    @Argument(help: "The set, such as com.example.mail/2.0.0@member.")
    var set: String
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> SetAddress? { read.value("", set) }

    func perform(_ set: SetAddress, on service: RemoteService, _ output: Output) throws {
        let result = try service.rolloutResult(of: set)
        let running = result["endedAt"] == nil ? try service.rollout(of: set) : nil
        let lines = [result.rolloutSentence(about: set)] + (running?.planLines ?? []) + [result.resultLine]
        try output.print(result.adding(membersOf: ["scheduled": running?["scheduled"]]), lines)
    }
}

struct ShareRollout: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Change the share of the running roll-out, its steps or its guard.",
        discussion: "Phones that have the candidate keep it when the share rises. New steps replace all steps. Makes no revision.")

    @Argument(help: "The set, such as com.example.mail/2.0.0@member.")
    var set: String
    @Argument(help: "The percentage of the installations from now on, such as 12.5. It stays if you leave it out.")
    var share: String?
    @OptionGroup var plan: RolloutOptions
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> (set: SetAddress, patch: JSON)? {
        let set: SetAddress? = read.value("", set)
        let share: RolloutShare? = read.value("", share)
        let patch = plan.members(&read).adding(membersOf: ["share": share?.percent])
        if patch.members.isEmpty { read.note("", "Add the percentage, --step, --stop-if-lost or --stop-if-below.") }
        return set.map { ($0, patch) }
    }

    func perform(_ request: (set: SetAddress, patch: JSON), on service: RemoteService, _ output: Output) throws {
        let running = try service.changeRollout(of: request.set, request.patch)
        try output.print(running, [running.rolloutSentence(about: request.set)] + running.planLines)
    }
}

struct PromoteRollout: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote", abstract: "Publish the candidate for everyone, now or at a time. No further approvals are needed.")

    @Argument(help: "The set, such as com.example.mail/2.0.0@member.")
    var set: String
    @OptionGroup var times: PublishOptions
    @OptionGroup var options: AnswerOptions

    typealias Request = (set: SetAddress, at: Timestamp?, message: String?)

    func request(_ read: inout ArgumentReader) -> Request? { Self.request(set, times, &read) }

    static func request(_ set: String, _ times: PublishOptions, _ read: inout ArgumentReader) -> Request? {
        let (at, message) = times.read(&read)
        return read.value("", set).map { ($0, at, message) }
    }

    func perform(_ request: Request, on service: RemoteService, _ output: Output) throws {
        let answer = try service.endRollout(of: request.set, "promote", at: request.at, message: request.message)
        try output.print(answer.json, answer.publishLines(request.set.description, of: request.set.app))
    }
}

struct StopRollout: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "End the roll-out, now or at a time. Everyone gets the set again.")

    @Argument(help: "The set, such as com.example.mail/2.0.0@member.")
    var set: String
    @OptionGroup var times: PublishOptions
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> PromoteRollout.Request? { PromoteRollout.request(set, times, &read) }

    func perform(_ request: PromoteRollout.Request, on service: RemoteService, _ output: Output) throws {
        let json = try service.endRollout(of: request.set, "stop", at: request.at, message: request.message).json
        let words = json.text("at").map { "The roll-out of \(request.set) ends at \($0)." }
        try output.print(json, [words ?? "The roll-out of \(request.set) has ended. Everyone gets the set again."])
    }
}

/// The options of `publish --share` and `rollout share`.
struct RolloutOptions: ParsableArguments {
    @Option(name: .customLong("step"), help: ArgumentHelp("A later share, such as 24h=25; repeat it for more.", valueName: "time=percent"))
    var steps: [String] = []
    @Option(
        help: ArgumentHelp("Stop automatically if more than this percentage of the candidate's first taps is lost.", valueName: "percent"))
    var stopIfLost: String?
    @Option(
        help: ArgumentHelp(
            "Stop automatically if fewer than this percentage of phones tap with the candidate, compared with the set.",
            valueName: "percent"))
    var stopIfBelow: String?

    var areGiven: Bool { !steps.isEmpty || stopIfLost != nil || stopIfBelow != nil }

    /// The members `steps` and `guard` of a request. What is not given has no member.
    func members(_ read: inout ArgumentReader) -> JSON {
        let lost: RolloutShare? = read.value("--stop-if-lost", stopIfLost)
        let worse: RolloutShare? = read.value("--stop-if-below", stopIfBelow)
        let limits: JSON = ["lost": lost?.percent, "worse": worse?.percent]
        let planned = steps.compactMap { step(&read, $0) }
        return ["steps": steps.isEmpty ? nil : .array(planned), "guard": limits.members.isEmpty ? nil : limits]
    }

    private func step(_ read: inout ArgumentReader, _ text: String) -> JSON? {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            read.note("--step", "\(quoted(text)) is not a step. Use a time and a percentage, such as 24h=25.")
            return nil
        }
        let (at, share): (Timestamp?, RolloutShare?) = (read.time("--step", parts[0]), read.value("--step", parts[1]))
        guard let at, let share else { return nil }
        return ["at": .string(at), "share": share.percent]
    }
}

extension JSON {
    /// What runs or ran, of a roll-out or its result.
    fileprivate func rolloutSentence(about set: SetAddress) -> String {
        let (revision, share) = ("revision \(integer("revision") ?? 0)", self["share"]?.shown ?? "")
        guard let endedAt = text("endedAt"), let end = text("end") else {
            return "\(set): \(revision) is rolled out to \(share) % of the installations since \(text("startedAt") ?? "")."
        }
        let words = [
            "promoted": "was promoted", "stopped": "was stopped", "replaced": "ended because the set was changed",
            "lost": "was stopped by its guard, because first taps were lost,",
            "worse": "was stopped by its guard, because fewer phones tapped,",
        ]
        let by = text("endedBy").map { " by \($0)" } ?? ""
        return "\(set): the roll-out of \(revision) to \(share) % \(words[end] ?? "ended")\(by) at \(endedAt)."
    }

    fileprivate var planLines: [String] {
        let steps = elements("scheduled").map { step in
            let words = ["promote": "Promotion", "stop": "End"][step.text("kind") ?? ""] ?? "\(step["share"]?.shown ?? "") %"
            return "\(words) at \(step.text("at") ?? "") (\(step.text("id") ?? ""))"
        }
        let limits = [
            self["guard"]?["lost"].map { "more than \($0.shown) % of first taps are lost" },
            self["guard"]?["worse"].map { "fewer than \($0.shown) % as many phones tap as with the current menu" },
        ]
        let conditions = limits.compactMap { $0 }.joined(separator: ", or if ")
        return steps + (conditions.isEmpty ? [] : ["It stops automatically if \(conditions)."])
    }

    fileprivate var resultLine: String {
        let taps = self["firstTaps"] ?? [:]
        return "\(text("summary") ?? ""). First taps: \(taps.integer("candidate") ?? 0) with the candidate "
            + "(\(taps.integer("lost") ?? 0) lost), \(taps.integer("control") ?? 0) with the set."
    }
}
