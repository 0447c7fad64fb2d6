import ArgumentParser
import QuickActions
import Remote

struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "List, create and change apps.", subcommands: [ListApps.self, CreateApp.self, SetApp.self])
}

struct ListApps: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the apps of the token: id, default language, required approvals, fallback URL, name.")

    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> RemoteList? { .apps }

    func perform(_ apps: RemoteList, on service: RemoteService, _ output: Output) throws {
        try output.print([apps], of: service, empty: "No apps.") { app in
            let approvals = app.integer("approvals") ?? 0
            return [
                app.text("app") ?? "", app.text("defaultLanguage") ?? "", "\(approvals) approval\(approvals == 1 ? "" : "s")",
                app.text("fallbackURL") ?? "", app.text("name") ?? "",
            ]
        }
    }
}

struct CreateApp: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Create an app. The token must be an owner's.")

    @Argument(help: "The app's bundle identifier.")
    var app: String
    @OptionGroup var members: AppMembers
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> AppID? {
        if members.language == nil { read.note("", "Add --language, the app's default language, for example --language en.") }
        return read.value("", app)
    }

    func perform(_ app: AppID, on service: RemoteService, _ output: Output) throws {
        let exists = "\(app) exists already. Change it with longpress app set \(app)."
        let answer = try RemoteFailure.explaining(["precondition-failed": { _ in exists }]) { () throws(RemoteFailure) in
            try service.createApp(app, members.document)
        }
        try output.print(answer.json, ["Created \(app)."])
    }
}

struct SetApp: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change settings of an app. The token must be an owner's.",
        discussion: "An empty text removes the name or the fallback URL.")

    @Argument(help: "The app's bundle identifier.")
    var app: String
    @OptionGroup var members: AppMembers
    @Option(name: .customLong("override"), help: "Reason for requiring fewer approvals; recorded in the audit.")
    var reason: String?
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> AppID? {
        if members.document.members.isEmpty {
            read.note("", "Nothing would change. Add --name, --language, --fallback-url or --approvals.")
        }
        return read.value("", app)
    }

    func perform(_ app: AppID, on service: RemoteService, _ output: Output) throws {
        try output.print(try service.changeApp(app, members.document, overriding: reason).json, ["Changed \(app)."])
    }
}

/// The settings of an app.
struct AppMembers: ParsableArguments {
    @Option(help: "The name for people.")
    var name: String?
    @Option(help: "The default language, such as en.")
    var language: String?
    @Option(name: .customLong("fallback-url"), help: "The URL that opens if no rule says what a tap means.")
    var fallbackURL: String?
    @Option(help: "How many other people must approve a draft, 0 to 5.")
    var approvals: Int?

    /// The given members; null for an empty text.
    var document: JSON {
        func optional(_ text: String?) -> JSON? { text.map { $0.isEmpty ? .null : .string($0) } }
        return [
            "name": optional(name), "defaultLanguage": language.map { .string($0) }, "fallbackURL": optional(fallbackURL),
            "approvals": approvals.map { .integer(Int64($0)) },
        ]
    }
}
