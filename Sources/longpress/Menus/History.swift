import ArgumentParser
import QuickActions
import Remote

struct History: ServiceCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the revisions of a set or of an app, newest first: number, set, when, by whom, message.")

    @Argument(help: "A set such as com.example.mail/2.0.0@member, or an app.")
    var subject: String
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> RemoteList? {
        if subject.contains("/") {
            let set: SetAddress? = read.value("", subject)
            return set.map { .revisions(of: $0.app, $0.name) }
        }
        let app: AppID? = read.value("", subject)
        return app.map { .revisions(of: $0, nil) }
    }

    func perform(_ revisions: RemoteList, on service: RemoteService, _ output: Output) throws {
        try output.print([revisions], of: service, empty: "\(subject) has no revisions.") { revision in
            let kind = revision.text("kind").flatMap { $0 == "published" ? nil : " (\($0))" } ?? ""
            return [
                "\(revision.integer("revision") ?? 0)", revision.setName + kind, revision.text("publishedAt") ?? "",
                "by \(revision.text("by") ?? "?")", revision.text("message") ?? "",
            ]
        }
    }
}
