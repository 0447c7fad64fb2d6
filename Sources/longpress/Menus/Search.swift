import ArgumentParser
import Platform
import QuickActions
import Remote

struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Search apps, published sets and drafts for words.",
        discussion: "Searches ids, titles and subtitles in every language, types, URLs and versions. Case does not matter.")

    @Argument(help: "The words to search for. A result has all of them.")
    var query: [String]
    @Option(help: "Only in this app.")
    var app: String?
    @Flag(help: "Print all results as one JSON document, as in GET /admin/v1/search.")
    var json = false
    @OptionGroup var source: SourceOptions

    func run() throws {
        let app = try app.map { text in
            guard let app = AppID(text) else { throw ValidationError("--app: \(AppID.rule(for: text))") }
            return app
        }
        try reporting {
            var found: [JSON] = []
            try search(query.joined(separator: " "), in: app) { hits in
                if json { found += hits } else { for hit in hits { try Terminal.print(hit.searchLine) } }
            }
            if json { try Terminal.write((["items": .array(found)] as JSON).encodedLine) }
        }
    }

    /// - Parameter print: called with each page.
    private func search(_ text: String, in app: AppID?, print: ([JSON]) throws -> Void) throws {
        if let service = try source.service() { return try service.eachPage(of: .search(text, in: app), print) }
        #if SERVER
            try searchDatabase(text, in: app, print: print)
        #else
            throw ServerOptions.noneNamed
        #endif
    }
}

extension JSON {
    /// `com.example.mail 2.0.0 member compose title.en: New Message (draft)`
    fileprivate var searchLine: String {
        let audience = text("audience").flatMap { $0 == "default" ? nil : $0 }
        let place = [text("app"), text("version"), audience, text("item"), text("member")].compactMap { $0 }.joined(separator: " ")
        return "\(place): \(text("text") ?? "")\(text("in") == "draft" ? " (draft)" : "")"
    }
}
