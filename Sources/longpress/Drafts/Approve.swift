import ArgumentParser
import Foundation
import QuickActions
import Remote

struct Approve: ServiceCommand {
    static let configuration = CommandConfiguration(
        abstract: "Approve the draft of a set.",
        discussion: """
            Prints what the draft changes, and asks. Only the draft that you have seen is approved: if somebody saves it meanwhile, the \
            command fails. In a script, pass the entity tag that longpress diff printed.
            """)

    @Argument(help: "The set, such as com.example.mail/2.0.0@member.")
    var set: String
    @Option(help: "The entity tag of the draft that you have seen, from longpress diff. Then nothing is printed or asked.")
    var ifMatch: String?
    @Flag(help: "Print what the draft changes, and approve it without asking.")
    var yes = false
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> SetAddress? {
        if ifMatch == nil, !yes, isatty(STDIN_FILENO) == 0 {
            read.note("", "Nobody can answer, because standard input is not a terminal. Add --if-match TAG from longpress diff, or --yes.")
        }
        return read.value("", set)
    }

    func perform(_ set: SetAddress, on service: RemoteService, _ output: Output) throws {
        let tag = try ifMatch ?? seenTag(of: set, on: service)
        let answer = try RemoteFailure.explaining(["precondition-failed": { _ in Self.isOutdated(set) }]) { () throws(RemoteFailure) in
            try service.approve(set, tag: tag)
        }
        let (given, needed) = (answer.json.integer("approvals") ?? 0, answer.json.integer("needed") ?? 0)
        try output.print(answer.json, ["Approved the draft of \(set). It has \(given) of \(needed) approvals."])
    }

    static func isOutdated(_ set: SetAddress) -> String {
        "Somebody saved the draft of \(set) after you read it. Read it again with longpress diff \(set)."
    }

    /// Shows the draft.
    /// - Returns: its entity tag. The tag is read first: if somebody saves the draft in between, it is outdated and the approval fails.
    private func seenTag(of set: SetAddress, on service: RemoteService) throws -> String {
        let draft = try service.draft(set)
        let lines = try service.draftDifference(set).differenceLines(of: draft.json)
        printMessage(([set.description] + (lines.isEmpty ? ["The draft equals the published set."] : lines)).joined(separator: "\n"))
        if !yes {
            printMessage("Approve this draft? [y/N]")
            guard let line = readLine(), ["y", "yes"].contains(line.lowercased()) else {
                throw RemoteFailure("The draft was not approved.")
            }
        }
        guard let tag = draft.entityTag else { throw RemoteFailure("The service sent the draft of \(set) without an entity tag.") }
        return tag
    }
}

struct Withdraw: ServiceCommand {
    static let configuration = CommandConfiguration(abstract: "Withdraw your approval of a draft.")

    @Argument(help: "The set, such as com.example.mail/2.0.0@member.")
    var set: String
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> SetAddress? { read.value("", set) }

    func perform(_ set: SetAddress, on service: RemoteService, _ output: Output) throws {
        try output.print(try service.withdrawApproval(set).json, message: "Your approval of the draft of \(set) was withdrawn.")
    }
}
