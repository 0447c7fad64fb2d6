import ArgumentParser
import QuickActions
import Remote

struct EditDraft: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edit the draft of a set in your editor (VISUAL or EDITOR), and save it.",
        discussion: """
            Without a draft, you edit the published set, or an empty one. If somebody saves the draft or publishes the set meanwhile, \
            nothing is overwritten. Whenever the draft cannot be saved, your edit stays in a file, whose path is printed.
            """)

    @Argument(help: "The set, such as com.example.mail/2.0.0@member.")
    var set: String
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> SetAddress? { read.value("", set) }

    func perform(_ set: SetAddress, on service: RemoteService, _ output: Output) throws {
        let editor = try Editor()
        let start = try Start(set, on: service)
        let file = try EditedFile("\(set.app)-\(set.name).json", start.document.prettyPrinted)
        do {
            try editor.edit(file.path)
            guard !file.isUnchanged else {
                try file.remove()
                return try output.print([:], message: "You changed nothing, so nothing was saved.")
            }
            let document = try LocalFile.json(file.path, atMost: EditedFile.limit)
            guard try start.isCurrent(set, on: service) else { throw PublishedMeanwhile() }
            let answer = try service.saveDraft(document, of: set, if: start.condition, base: start.base)
            try file.remove()
            try output.print(answer.json, answer.savedDraftLines(set))
        } catch {
            // Without an edit there is nothing to keep.
            guard file.isUnchanged else { throw Self.failure(error, set, keptAt: file.path) }
            try? file.remove()
            throw error
        }
    }

    private struct PublishedMeanwhile: Error {}

    private static func failure(_ error: any Error, _ set: SetAddress, keptAt path: String) -> RemoteFailure {
        let isConflict = error is PublishedMeanwhile || (error as? RemoteFailure)?.refusal?.code == "precondition-failed"
        guard isConflict else {
            return RemoteFailure(
                "\(error)\nNothing was saved. Your edit is in \(path). Save it with: longpress draft save \(set) \(path)")
        }
        return RemoteFailure(
            "Somebody saved the draft of \(set) or published the set while you were editing, so nothing was saved. Your edit is in "
                + "\(path). See the other change with longpress diff or longpress history, add it to your edit, then save it with: "
                + "longpress draft save \(set) \(path)")
    }
}

extension EditDraft {
    /// What is edited, and the state that a save must still find.
    private struct Start {
        let document: JSON
        let condition: WritePrecondition
        /// The revision that the document was made from, 0 for none; nil for a draft, which knows its own.
        let base: String?

        init(_ set: SetAddress, on service: RemoteService) throws(RemoteFailure) {
            if let draft = try RemoteService.existing({ () throws(RemoteFailure) in try service.draft(set) }) {
                self.init(document: draft.json, condition: draft.entityTag.map { .tag($0) } ?? .anything, base: nil)
            } else if let published = try RemoteService.existing({ () throws(RemoteFailure) in try service.publishedSet(set) }) {
                self.init(document: published.json, condition: .nothing, base: "\(published.revision ?? 0)")
            } else {
                self.init(document: ["items": []], condition: .nothing, base: "0")
            }
        }

        /// Whether the set that is edited is still the published one. A save does not check this.
        func isCurrent(_ set: SetAddress, on service: RemoteService) throws(RemoteFailure) -> Bool {
            guard let base else { return true }
            return "\(try service.currentRevision(of: set) ?? 0)" == base
        }

        private init(document: JSON, condition: WritePrecondition, base: String?) {
            self.document = document
            self.condition = condition
            self.base = base
        }
    }
}
