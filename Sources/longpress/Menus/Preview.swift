import ArgumentParser
import QuickActions
import Remote

struct PreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview", abstract: "Show the menu of a version; create, list and delete links that show drafts on phones.",
        discussion: "Without one of its subcommands, longpress preview is longpress preview show.",
        subcommands: [ShowPreview.self, CreatePreview.self, ListPreviews.self, DeletePreview.self], defaultSubcommand: ShowPreview.self)
}

struct ShowPreview: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the menu of a version, with its static items and the items that do not fit.",
        discussion: "With --draft, shows it as if the drafts of the app were published.")

    @OptionGroup var release: ReleaseOptions
    @Option(help: "The version, such as 2.9 or 2.9+480.")
    var version: String
    @Option(help: "The language, such as ko. By default the app's default language.")
    var lang: String?
    @Flag(help: "Treat drafts as published.")
    var draft = false
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> NamedRelease? { release.read(&read, version) }

    func perform(_ release: NamedRelease, on service: RemoteService, _ output: Output) throws {
        let preview = try service.preview(release.app, release.id, release.audience, language: lang, draft: draft)
        var lines = preview.elements("menu").enumerated().map { "\($0 + 1). \($1.menuLine)" }
        lines += preview.elements("hidden").map { "   \($0.menuLine) (hidden, because iOS shows four items)" }
        if preview["answer"]?.isNull ?? true {
            lines.append("No set is in effect for version \(release.id). The app keeps the dynamic items that it registered before.")
        } else if lines.isEmpty {
            lines.append("The menu has no items.")
        }
        if preview.boolean("draft") ?? false { lines.append("The menu is from a draft.") }
        try output.print(preview, lines)
    }
}

extension JSON {
    /// `New Message, Empty page (new-message, mail://compose)`
    fileprivate var menuLine: String {
        let title = [text("title"), text("subtitle")].compactMap { $0 }.joined(separator: ", ")
        let details = [text("id") ?? text("kind"), text("url")].compactMap { $0 }.joined(separator: ", ")
        return "\(title) (\(details))"
    }
}
