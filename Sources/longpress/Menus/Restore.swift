import ArgumentParser
import QuickActions
import Remote

/// Restores a revision of an app on a service, or where the command has databases, a backup (`restoreBackup`). `--app` decides.
struct Restore: ServiceCommand {
    #if SERVER
        static let configuration = CommandConfiguration(
            abstract: "Restore a revision of an app, or a backup of a database.",
            usage: """
                longpress restore <revision> --app <app> [--at <time>] [--message <text>] [--server <url>]
                longpress restore <backup> --drop-tokens | --keep-tokens [--database <database>]
                """,
            discussion: """
                With --app, publishes a revision again on a running service, now or at a time. No approvals are needed.

                Without --app, restores a backup while no service uses the database. Checks the backup first and does not change it. The \
                revision numbers of every app continue 1,000 higher, so that no number is used twice. Sessions end. The replaced database \
                is kept next to the new one.
                """)
    #else
        static let configuration = CommandConfiguration(
            abstract: "Publish a revision of an app again, now or at a time. No approvals are needed.")
    #endif

    #if SERVER
        private static let subjectHelp: ArgumentHelp =
            "With --app, the number of a revision, from longpress history; else the file of a backup."
    #else
        private static let subjectHelp: ArgumentHelp = "The number of a revision, from longpress history."
    #endif

    @Argument(help: subjectHelp)
    var subject: String
    @Option(help: "The app of the revision.")
    var app: String?
    @OptionGroup var times: PublishOptions
    @OptionGroup var options: AnswerOptions
    #if SERVER
        @OptionGroup var backup: BackupOptions
    #endif

    typealias Request = (revision: Int64, app: AppID, at: Timestamp?, message: String?)

    #if SERVER
        func validate() throws {
            guard app == nil else {
                guard !backup.areGiven else {
                    throw ValidationError("--app restores a revision. Remove --drop-tokens, --keep-tokens and --database, or remove --app.")
                }
                _ = try parsedRequest()
                return
            }
            guard !times.areGiven, !options.areGiven else {
                throw ValidationError("Add --app to restore a revision. The options of a service do not work with a backup.")
            }
            try backup.requireTokens()
        }

        func run() throws {
            if app == nil { try backup.restore(subject) } else { try runOnService() }
        }
    #endif

    func request(_ read: inout ArgumentReader) -> Request? {
        if app == nil { read.note("", "Add --app, the app of the revision.") }
        let revision = read.revision(subject)
        let app: AppID? = read.value("--app", app)
        let (at, message) = times.read(&read)
        guard let revision, let app else { return nil }
        return (revision, app, at, message)
    }

    func perform(_ request: Request, on service: RemoteService, _ output: Output) throws {
        let before = try service.revision(request.revision, of: request.app).namedSet.flatMap { name in
            try service.currentRevision(of: SetAddress(request.app, name))
        }
        let answer = try service.restore(request.revision, of: request.app, at: request.at, message: request.message)
        guard answer.json["at"] != nil || answer.json.integer("revision") != before else {
            return try output.print(
                answer.json, ["The published set equals revision \(request.revision) of \(request.app). Nothing changed."])
        }
        try output.print(answer.json, answer.publishLines("revision \(request.revision) of \(request.app)", of: request.app))
    }
}
