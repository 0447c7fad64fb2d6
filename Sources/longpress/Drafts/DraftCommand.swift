import ArgumentParser
import Platform
import QuickActions
import Remote

struct DraftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft", abstract: "List, show, save, edit and discard drafts.",
        subcommands: [ListDrafts.self, ShowDraft.self, SaveDraft.self, EditDraft.self, DiscardDraft.self])
}

struct ListDrafts: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List drafts: set, when and by whom it was saved, approvals.")

    @OptionGroup var selection: AppSelection
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> [AppID]? { selection.read(&read) }

    func perform(_ apps: [AppID], on service: RemoteService, _ output: Output) throws {
        let lists = try selection.apps(apps, of: service).map { RemoteList.drafts(of: $0) }
        try output.print(lists, of: service, empty: "No drafts.") { draft in
            let approvers = draft.elements("approvals").compactMap { $0.text("token") }
            return [
                draft.setName, draft.text("savedAt") ?? "", "by \(draft.text("by") ?? "?")",
                approvers.isEmpty ? "" : "approved by \(approvers.joined(separator: ", "))",
            ]
        }
    }
}

struct ShowDraft: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the document of a draft, as draft save accepts it.")

    @Argument(help: "The set, such as com.example.mail/2.0.0@member.")
    var set: String
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> SetAddress? { read.value("", set) }

    func perform(_ set: SetAddress, on service: RemoteService, _ output: Output) throws {
        let draft = try service.draft(set).json
        try output.print(draft, [String(decoding: draft.prettyPrinted.dropLast(), as: UTF8.self)])
    }
}

struct SaveDraft: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save a file as the draft of a set.",
        discussion: """
            Replaces an existing draft and removes its approvals. The document of the replaced draft stays in a file, which is named. \
            --if-match replaces only the draft that you have seen.
            """)

    @Argument(help: "The set, such as com.example.mail/2.0.0@member.")
    var set: String
    @Argument(help: "The file with the document; - reads standard input.")
    var file: String
    @Option(help: "The entity tag of the draft that you have seen, from longpress diff.")
    var ifMatch: String?
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> SetAddress? { read.value("", set) }

    func perform(_ set: SetAddress, on service: RemoteService, _ output: Output) throws {
        let isStandardInput = file == "-"
        let bytes = isStandardInput ? try Terminal.input(atMost: 1 << 20) : try LocalFile.read(file, atMost: 1 << 20)
        let document = try LocalFile.json(bytes, named: isStandardInput ? "Standard input" : file)
        let outdated = "\(Approve.isOutdated(set)) Nothing was saved."
        let previous = try ifMatch == nil ? RemoteService.existing { () throws(RemoteFailure) in try service.draft(set) } : nil
        let condition = (ifMatch ?? previous?.entityTag).map { WritePrecondition.tag($0) } ?? .nothing
        let answer = try RemoteFailure.explaining(["precondition-failed": { _ in outdated }]) { () throws(RemoteFailure) in
            try service.saveDraft(document, of: set, if: condition)
        }
        try output.print(answer.json, answer.savedDraftLines(set))
        // The same content again keeps its tag.
        guard let previous, previous.entityTag != answer.entityTag else { return }
        let copy = try EditedFile("replaced-\(set.name).json", previous.json.prettyPrinted)
        printMessage("It replaced another draft, which is in \(copy.path).")
    }
}

struct DiscardDraft: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "discard", abstract: "Delete the draft of a set with its approvals.")

    @Argument(help: "The set, such as com.example.mail/2.0.0@member.")
    var set: String
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> SetAddress? { read.value("", set) }

    func perform(_ set: SetAddress, on service: RemoteService, _ output: Output) throws {
        try output.print(try service.discardDraft(set).json, message: "The draft of \(set) was deleted.")
    }
}

extension RemoteService.Answer {
    /// The answer to a saved draft for a person.
    func savedDraftLines(_ set: SetAddress) -> [String] { ["Saved the draft of \(set)."] + json.warningLines }
}
