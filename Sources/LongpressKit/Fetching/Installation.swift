internal import Foundation
internal import QuickActions

/// The parameters of requests: app, build, current audience and languages, checked against the configuration.
struct Installation: Sendable, Equatable {
    let app: AppID
    let build: AppBuild
    let audience: Audience
    /// In order of preference.
    let languages: [LanguageTag]

    private static let mostLanguages = 10

    init(_ configuration: LongpressConfiguration, audience: String?) throws(LongpressError) {
        guard let app = AppID(configuration.app) else { throw .invalidConfiguration(AppID.rule(for: configuration.app)) }
        guard let version = AppVersion(configuration.version) else {
            throw .invalidConfiguration(AppVersion.rule(for: configuration.version))
        }
        guard let audience = Audience(audience ?? Audience.default.description) else {
            throw .invalidConfiguration(Audience.rule(for: audience ?? ""))
        }
        self.app = app
        self.audience = audience
        build = AppBuild(version, build: configuration.build.flatMap(BuildNumber.init))
        languages = Array(configuration.languages.lazy.compactMap(LanguageTag.init).prefix(Self.mostLanguages))
    }

    var preference: LanguagePreference { .ranges(languages, refused: []) }

    /// With weights, because a proxy may reorder the list: `ko-KR, en;q=0.9`. Without languages `*`, for the app's default language.
    var acceptLanguage: String {
        guard !languages.isEmpty else { return "*" }
        return languages.enumerated().map { place, tag in place == 0 ? tag.description : "\(tag);q=0.\(10 - place)" }
            .joined(separator: ", ")
    }

    /// Identifies a menu request: everything that its answer depends on.
    var menuKey: String { "\(bundleKey) \(acceptLanguage)" }

    /// Identifies a bundle request: everything that its answer depends on.
    var bundleKey: String { "\(app) \(build) \(audience)" }
}
