public import Foundation

/// Which menu is wanted, and from where.
public struct LongpressConfiguration: Sendable {
    /// The base URL of Longpress, or of a backend that passes its answers on; it may have a path.
    public var server: URL
    /// The bundle identifier.
    public var app: String
    /// `CFBundleShortVersionString`. With one that is no version, `refresh` throws `.foreign` and every tap is `.unknown`.
    public var version: String
    /// `CFBundleVersion`. One that is no build counts as none: then the service answers for the version's last release.
    public var build: String?
    /// The variant of the menu, such as `member`; nil is `default`. What `LongpressClient.update(audience:)` said later counts.
    public var audience: String?
    /// BCP 47 tags, the preferred one first; the first ten that are well-formed count. None: the app's default language.
    public var languages: [String]
    /// How long a tap waits for the service where only it can tell: a person is waiting. 0.8 seconds.
    public var patience: Duration = .milliseconds(800)
    /// The types of the app's own static items, from its Info.plist. A tap on one is `.static` without asking anybody.
    public var staticTypes: Set<String> = []

    /// `patience` and `staticTypes` are set afterwards; `current(server:audience:bundle:)` sets the latter itself.
    public init(
        server: URL, app: String, version: String, build: String? = nil, audience: String? = nil, languages: [String] = []
    ) {
        self.server = server
        self.app = app
        self.version = version
        self.build = build
        self.audience = audience
        self.languages = languages
    }

    /// What the Info.plist of a bundle and the person's settings say: identifier, version, build, static items, preferred languages.
    ///
    /// An extension's own bundle is not the app's: it gives the app's identifier to `init` instead.
    public static func current(server: URL, audience: String? = nil, bundle: Bundle = .main) -> Self {
        let info = bundle.infoDictionary ?? [:]
        var configuration = Self(
            server: server, app: bundle.bundleIdentifier ?? "", version: info["CFBundleShortVersionString"] as? String ?? "",
            build: info["CFBundleVersion"] as? String, audience: audience, languages: Locale.preferredLanguages)
        let items = info["UIApplicationShortcutItems"] as? [[String: Any]] ?? []
        configuration.staticTypes = Set(items.compactMap { $0["UIApplicationShortcutItemType"] as? String })
        return configuration
    }
}
