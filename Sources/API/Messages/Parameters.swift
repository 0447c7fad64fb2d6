import HTTP
import QuickActions
import Shortcuts

extension PathParameters {
    /// The version of the path. Where a route knows builds by `?build=` only, one behind a `+` makes it no version.
    func version() throws(Failure) -> AppVersion {
        let text = self["version"]
        if let version = AppVersion(text) { return version }
        if let build = AppBuild(text)?.build {
            throw Failure(
                .invalidVersion, "\(quoted(text)) is not a version here: leave the build out. A fetch gives it as ?build=\(build).")
        }
        throw .invalidVersion(text)
    }
}

extension Query {
    /// A parameter given twice says two things.
    func requireUnique() throws(Failure) {
        guard let name = duplicates.first else { return }
        throw Failure(.invalidParameter, "The query parameter \(quoted(name)) is given twice: give it once.")
    }

    var build: BuildNumber? {
        get throws(Failure) {
            guard let text = self["build"] else { return nil }
            guard let build = BuildNumber(text) else { throw Failure(.invalidVersion, "build: \(BuildNumber.rule(for: text))") }
            return build
        }
    }

    var audience: Audience? {
        get throws(Failure) {
            guard let text = self["audience"] else { return nil }
            guard let audience = Audience(text) else {
                throw Failure(.invalidParameter, "audience: \(Audience.rule(for: text))")
            }
            return audience
        }
    }

    /// One range and the last word; `*` fits any language, so the default one.
    var language: LanguagePreference? {
        get throws(Failure) {
            guard let text = self["lang"] else { return nil }
            if text == "*" { return .exactly(nil) }
            guard let tag = LanguageTag(text) else {
                throw Failure(
                    .invalidParameter, "lang: \(quoted(text)) is not a language range. Use BCP 47, for example en, pt-BR or zh-Hant.")
            }
            return .exactly(tag)
        }
    }
}

extension Request {
    /// `Accept-Language` (RFC 9110 section 12.5.4) with its weights; what is no language tag is passed over.
    var acceptedLanguages: LanguagePreference { LanguagePreference(accepted: fields.combined("Accept-Language")) }
}

extension LanguagePreference {
    /// - Parameter field: the value of `Accept-Language`.
    init(accepted field: String?) {
        let accepted = AcceptLanguage(field)
        self = .ranges(
            accepted.ranges.compactMap { LanguageTag($0.tag) }, refused: accepted.excluded.compactMap { LanguageTag($0) })
    }
}
