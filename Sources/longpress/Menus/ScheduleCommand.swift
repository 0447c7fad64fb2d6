import ArgumentParser
import QuickActions
import Remote

struct ScheduleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "List and cancel scheduled changes.", subcommands: [ListSchedule.self, CancelSchedule.self])
}

struct ListSchedule: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List scheduled changes by time: time, kind, set, id, by whom, message.",
        discussion: "A revert is the automatic end of a campaign.")

    @OptionGroup var selection: AppSelection
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> [AppID]? { selection.read(&read) }

    func perform(_ apps: [AppID], on service: RemoteService, _ output: Output) throws {
        let lists = try selection.apps(apps, of: service).map { RemoteList.schedule(of: $0) }
        try output.print(lists, of: service, empty: "Nothing is scheduled.") { entry in
            [
                entry.text("at") ?? "", entry.scheduledKind, entry.setName, entry.text("id") ?? "", "by \(entry.text("by") ?? "?")",
                entry["share"].map { "\($0.shown) %" } ?? entry.text("message") ?? "",
            ]
        }
    }
}

struct CancelSchedule: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a scheduled change.",
        discussion: """
            The set of a scheduled publish becomes a draft again, without its approvals. If there is another draft, nothing is cancelled \
            unless --discard is given. Cancelling a publish also cancels its automatic revert.
            """)

    @Argument(help: "The id of the entry, from longpress schedule list.")
    var id: String
    @Option(help: "The app of the entry.")
    var app: String
    @Flag(help: "Delete the set of a scheduled publish, and do not make a draft of it.")
    var discard = false
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> AppID? { read.value("--app", app) }

    func perform(_ app: AppID, on service: RemoteService, _ output: Output) throws {
        let entry = try service.scheduled(id, of: app)
        guard !discard, entry.json.text("kind") == "publish", let document = entry.json["set"], let name = entry.json.namedSet else {
            return try output.print(try service.cancel(id, of: app).json, message: "The scheduled change \(id) was cancelled.")
        }
        let set = SetAddress(app, name)
        // Saved first, so that a failure in between loses nothing.
        let isOccupied =
            "\(set) has another draft, so nothing was cancelled. Publish or discard that draft first, or add --discard to delete the "
            + "scheduled set."
        let draft = try RemoteFailure.explaining(["precondition-failed": { _ in isOccupied }]) { () throws(RemoteFailure) in
            try service.saveDraft(document, of: set, if: .nothing, base: entry.base)
        }
        do {
            let answer = try service.cancel(id, of: app)
            try output.print(answer.json, message: "The publish of \(set) was cancelled. The set is a draft again.")
        } catch let failure as RemoteFailure where failure.refusal != nil {
            // The entry remains, or it ran meanwhile.
            _ = try? service.discardDraft(set, if: draft.entityTag.map { .tag($0) } ?? .anything)
            throw failure
        }
    }
}

extension JSON {
    /// The set of an entry of the schedule.
    /// The set that an entry of the schedule, or a revision, is about.
    var namedSet: SetName? {
        guard let version = text("version").flatMap({ AppVersion($0) }), let audience = text("audience").flatMap({ Audience($0) }) else {
            return nil
        }
        return SetName(version: version, audience: audience)
    }
}

extension JSON {
    /// `revert` for the end of a campaign, else `publish`, `restore` or `delete`.
    fileprivate var scheduledKind: String {
        self["expectedRevision"] == nil && self["follows"] == nil ? text("kind") ?? "" : "revert"
    }
}
