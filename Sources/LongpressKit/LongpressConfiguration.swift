public import Foundation

/// The address of the service, and the app and version to fetch the menu for.
public struct LongpressConfiguration: Sendable, Equatable {
    /// The base URL of the Longpress service, or of a backend that forwards to it. It may have a path.
    public var server: URL
    /// The app's bundle identifier.
    public var app: String
    /// `CFBundleShortVersionString`. If it is not a version, ``LongpressClient/refresh()`` throws
    /// ``LongpressError/invalidConfiguration(_:)`` and every tap is resolved as `unknown`.
    public var version: String
    /// `CFBundleVersion`. Without a valid build, the service answers for the version's last release.
    public var build: String?
    /// The variant of the menu, such as `member`; nil for `default`. A later ``LongpressClient/update(audience:)`` takes
    /// precedence until this value changes.
    public var audience: String?
    /// BCP 47 tags in order of preference; the first ten that are well-formed are used. Empty for the app's default language.
    public var languages: [String]
    /// How long a tap waits for the service, if the client must ask it. 0.8 seconds by default, because a person is waiting.
    public var patience: Duration = .milliseconds(800)
    /// The types of the static items in the app's Info.plist. A tap on one of them is resolved as `static`, without a request.
    public var staticTypes: Set<String> = []

    /// Whether taps are counted on the device and reported to the service, including taps that were resolved without a network. False by
    /// default: an app that turns it on declares it in its privacy manifest (<doc:Counting>).
    public var countsTaps = false

    /// Whether preview links show drafts in this app. False by default: turn it on in builds for testers only (<doc:Previews>).
    public var allowsPreviews = false

    /// Creates a configuration. ``patience``, ``staticTypes``, ``countsTaps`` and ``allowsPreviews`` have default values, which you can change afterwards.
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

    /// Reads the identifier, version, build and static items from a bundle's Info.plist, and the preferred languages from the person's
    /// settings.
    ///
    /// In an extension, use `init` with the app's identifier instead, because an extension's main bundle is not the app's.
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
