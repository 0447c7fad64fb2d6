import QuickActions

/// The base of the URLs in events.
package struct PublicAddress: Sendable {
    private let base: String

    package init(_ base: String) {
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// The URL of the menu of a version. It names the revision, so that a node that has not seen this revision asks the store before it
    /// answers.
    package func menu(of app: AppID, _ version: AppVersion, _ audience: Audience, revision: Int64) -> String {
        let parameter = audience == .default ? "" : "audience=\(audience)&"
        return "\(base)\(ClientPath(app, version, .shortcuts))?\(parameter)revision=\(revision)"
    }
}
