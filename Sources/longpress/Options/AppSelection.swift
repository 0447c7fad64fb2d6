import ArgumentParser
import QuickActions
import Remote

/// The apps that a list is about.
struct AppSelection: ParsableArguments {
    @Option(name: .customLong("app"), help: "Only this app; may be repeated. All apps of the token by default.")
    var apps: [String] = []

    func read(_ read: inout ArgumentReader) -> [AppID] { read.values("--app", apps) }

    /// The given apps, or all.
    func apps(_ given: [AppID], of service: RemoteService) throws(RemoteFailure) -> [AppID] {
        given.isEmpty ? try service.appIDs() : given
    }
}

extension JSON {
    /// `com.example.mail/2.0.0@member` of a listed item.
    var setName: String {
        let audience = text("audience").flatMap { $0 == "default" ? nil : "@\($0)" } ?? ""
        return "\(text("app") ?? "")/\(text("version") ?? "")\(audience)"
    }
}
