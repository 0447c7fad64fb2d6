import ArgumentParser
import QuickActions
import Remote

struct Diff: ServiceCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare the published set with its draft, or two revisions.",
        usage: """
            longpress diff <set> [<options>]
            longpress diff <revision> <revision> --app <app> [<options>]
            """,
        discussion: "+ is added, - is removed, ~ is changed. Prints the entity tag of the draft, which approve and draft save accept.")

    enum Subject: Sendable {
        case draft(SetAddress)
        case revisions(Int64, Int64, AppID)
    }

    @Argument(help: "A set, such as com.example.mail/2.0.0@member, or two revisions of --app.")
    var compared: [String]
    @Option(help: "The app of the two revisions.")
    var app: String?
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> Subject? {
        if compared.count == 1, app == nil { return read.value("", compared[0]).map { .draft($0) } }
        let app: AppID? = read.value("--app", app)
        guard compared.count == 2, self.app != nil else {
            read.note("", "Pass the name of a set, or two revisions and --app.")
            return nil
        }
        let revisions = compared.map { read.revision($0) }
        guard let app, let old = revisions[0], let new = revisions[1] else { return nil }
        return .revisions(old, new, app)
    }

    func perform(_ subject: Subject, on service: RemoteService, _ output: Output) throws {
        switch subject {
        case .draft(let set):
            let draft = try service.draft(set)
            let difference = try service.draftDifference(set)
            let tag = (draft.entityTag ?? "").filter { $0 != "\"" }
            let lines = difference.differenceLines(of: draft.json)
            try output.print(
                difference.adding("tag", .string(tag)),
                (lines.isEmpty ? ["The draft equals the published set."] : ["\(set)"] + lines) + ["The entity tag of the draft is \(tag)."])
        case .revisions(let old, let new, let app):
            let difference = try service.difference(from: old, to: new, of: app)
            let lines = difference.differenceLines(of: try service.revision(new, of: app)["set"])
            try output.print(difference, lines.isEmpty ? ["Revisions \(old) and \(new) have the same content."] : lines)
        }
    }
}

extension ArgumentReader {
    /// The number of a revision.
    mutating func revision(_ text: String) -> Int64? {
        if let number = Int64(text), number > 0 { return number }
        note("", "\(quoted(text)) is not the number of a revision. longpress history lists them.")
        return nil
    }
}
