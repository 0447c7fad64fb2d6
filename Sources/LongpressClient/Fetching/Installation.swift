internal import Foundation
internal import QuickActions

/// Who asks: a configuration that is known to be sound, with the audience as it is now.
struct Installation: Sendable, Equatable {
    let app: AppID
    let build: AppBuild
    let audience: Audience
    /// The preferred one first.
    let languages: [LanguageTag]

    private static let mostLanguages = 10

    init(_ configuration: LongpressConfiguration, audience: String?) throws(LongpressError) {
        guard let app = AppID(configuration.app) else { throw .foreign(AppID.rule(for: configuration.app)) }
        guard let version = AppVersion(configuration.version) else { throw .foreign(AppVersion.rule(for: configuration.version)) }
        guard let audience = Audience(audience ?? Audience.default.description) else {
            throw .foreign(Audience.rule(for: audience ?? ""))
        }
        self.app = app
        self.audience = audience
        build = AppBuild(version, build: configuration.build.flatMap(BuildNumber.init))
        languages = Array(configuration.languages.lazy.compactMap(LanguageTag.init).prefix(Self.mostLanguages))
    }

    var preference: LanguagePreference { .ranges(languages, refused: []) }

    /// With weights, since who passes it on may sort it: `ko-KR, en;q=0.9`. Without languages any will do, and the service takes the
    /// app's default one.
    var acceptLanguage: String {
        guard !languages.isEmpty else { return "*" }
        return languages.enumerated().map { place, tag in place == 0 ? tag.description : "\(tag);q=0.\(10 - place)" }
            .joined(separator: ", ")
    }

    /// What decides about the menu that is answered.
    var menuKey: String { "\(bundleKey) \(acceptLanguage)" }

    /// What decides about the bundle.
    var bundleKey: String { "\(app) \(build) \(audience)" }
}
