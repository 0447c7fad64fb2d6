import ArgumentParser
import Platform
import QuickActions
import Remote

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Export all apps as one JSON document for git, without tokens and webhooks. The service may be running.")

    enum History: String, ExpressibleByArgument {
        case all, none
    }

    @Option(help: "The file to write; standard output by default.")
    var output: String?
    @Option(name: .customLong("app"), help: "An app to export; may be repeated. All apps by default.")
    var apps: [String] = []
    @Option(help: "all, or none: only published sets, drafts, the schedule and the revision counters (all).")
    var history = History.all
    @OptionGroup var source: SourceOptions

    func run() throws {
        let apps = try AppID.list(apps)
        try reporting {
            var count = 0
            if let output {
                // Synchronized with its folder, so that it survives a power failure.
                try FileBytes.write(to: output) { write in
                    try export(apps) { bytes throws(FileError) in
                        count += bytes.count
                        try write(bytes)
                    }
                }
                printMessage("The export is at \(output).")
            } else {
                try export(apps) { bytes throws(FileError) in
                    count += bytes.count
                    try Terminal.write(bytes)
                }
            }
            guard count > RemoteService.limit else { return }
            printMessage(
                "longpress: The export has \((count - 1) >> 20 + 1) MiB, but a service imports at most \(RemoteService.limit >> 20) MiB "
                    + "over HTTP. Import it with --database on the service's machine, or export fewer apps (--app) or no history "
                    + "(--history none)."
            )
        }
    }

    private func export(_ apps: [AppID], to write: @escaping ([UInt8]) throws(FileError) -> Void) throws {
        if let service = try source.service() { return try write(service.export(apps, withoutHistory: history == .none)) }
        #if SERVER
            try exportOfDatabase(apps, to: write)
        #else
            throw ServerOptions.noneNamed
        #endif
    }
}

extension AppID {
    /// Parses the values of `--app`.
    static func list(_ names: [String]) throws -> [AppID] {
        try names.map { text in
            guard let app = AppID(text) else { throw ValidationError("--app: \(AppID.rule(for: text))") }
            return app
        }
    }
}
