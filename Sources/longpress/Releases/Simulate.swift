import ArgumentParser
import Platform
import QuickActions
import Remote

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the menu between an update and its first launch, and what each tap does.")

    @OptionGroup var release: ReleaseOptions
    @Option(help: "The version before the update, such as 2.9 or 2.9+480.")
    var from: String
    @Option(help: "The version after the update.")
    var to: String
    @Option(help: "The language, such as ko. By default the app's default language.")
    var lang: String?
    @Flag(help: "Treat drafts as published.")
    var draft = false
    @Option(help: "human or json.")
    var format: RemoteService.SimulationFormat = .human
    @OptionGroup var remote: ServerOptions

    func run() throws {
        let (before, after) = (try release.named(from), try release.named(to))
        try reporting {
            let service = try remote.required()
            let text = try service.simulate(
                after.app, from: before.id, to: after.id, language: lang, audience: after.audience, draft: draft, format)
            try Terminal.write(text.last == UInt8(ascii: "\n") ? text : text + [UInt8(ascii: "\n")])
        }
    }
}

extension RemoteService.SimulationFormat: ExpressibleByArgument {}
