import ArgumentParser
import Platform
import QuickActions
import Remote

struct CreatePreview: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a link that shows drafts on a phone, and print it, only once.",
        discussion: """
            The link opens the app, which shows the draft of the set, or all drafts of the app, until the link ends. It ends early if the \
            token that created it is revoked. The app must allow previews.
            """)

    @Argument(help: "A set such as com.example.mail/2.0.0@member, or an app for all of its drafts.")
    var subject: String
    @Option(help: "How long the link works, such as 90m, 24h or 7d, at most 7 days. A day by default.")
    var expiresIn: String?
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> (app: AppID, set: SetName?, life: Duration?)? {
        let life = read.duration("--expires-in", expiresIn)
        if subject.contains("/") {
            let set: SetAddress? = read.value("", subject)
            return set.map { ($0.app, $0.name, life) }
        }
        let app: AppID? = read.value("", subject)
        return app.map { ($0, nil, life) }
    }

    func perform(_ request: (app: AppID, set: SetName?, life: Duration?), on service: RemoteService, _ output: Output) throws {
        let answer = try service.createPreview(of: request.app, request.set, life: request.life).json
        let link = answer.text("link")
        try output.print(answer, [link ?? answer.text("token") ?? ""])
        guard !options.json else { return }
        printMessage("The preview has the id \(answer.text("id") ?? "") and ends at \(answer.text("expiresAt") ?? "").")
        if link == nil {
            printMessage(
                "The newest release of \(request.app) has no URL scheme, so the token is printed in place of a link. Send the Info.plist with "
                    + "longpress release put.")
        }
    }
}

struct ListPreviews: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the preview links of apps: end, id, what it shows, by whom.")

    @OptionGroup var selection: AppSelection
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> [AppID]? { selection.read(&read) }

    func perform(_ apps: [AppID], on service: RemoteService, _ output: Output) throws {
        let lists = try selection.apps(apps, of: service).map { RemoteList.previews(of: $0) }
        try output.print(lists, of: service, empty: "No previews.") { preview in
            let version = preview.text("version").map { "/\($0)" } ?? ""
            let audience = preview.text("audience").map { "@\($0)" } ?? ""
            return [
                preview.text("expiresAt") ?? "", preview.text("id") ?? "", "\(preview.text("app") ?? "")\(version)\(audience)",
                "by \(preview.text("createdBy") ?? "?")",
            ]
        }
    }
}

struct DeletePreview: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "End a preview link at once. Phones return to the live menu.")

    @Argument(help: "The id of the preview, from longpress preview list.")
    var id: String
    @Option(help: "The app of the preview.")
    var app: String
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> AppID? { read.value("--app", app) }

    func perform(_ app: AppID, on service: RemoteService, _ output: Output) throws {
        try output.print(try service.deletePreview(id, of: app).json, message: "The preview \(id) was deleted.")
    }
}
