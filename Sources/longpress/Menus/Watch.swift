import ArgumentParser
import Platform
import QuickActions
import Remote

struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print changes as they happen: one line of JSON per event of the stream.",
        discussion: "Runs until you stop it. Reconnects after a restart of the service and misses no change. Requires no token.")

    @Option(name: .customLong("app"), help: "An app to watch; may be repeated up to 50 times.")
    var apps: [String]
    @OptionGroup var remote: ServerOptions

    func run() throws {
        let apps = try apps.map { text in
            guard let app = AppID(text) else { throw ValidationError("--app: \(AppID.rule(for: text))") }
            return app
        }
        try reporting {
            try remote.required().watch(apps) { event throws(RemoteFailure) in
                do {
                    try Terminal.write(event.line)
                } catch {
                    throw RemoteFailure("\(error)")
                }
            }
        }
    }
}

extension EventStreamReader.Event {
    /// `{"event": "changed", "id": "7f3a.42", "data": {…}}`
    fileprivate var line: [UInt8] {
        let data = (try? JSONReader.read(Array(data.utf8))) ?? .string(data)
        let event: JSON = ["event": .string(name), "id": .optional(id), "data": data]
        return event.encodedLine
    }
}
