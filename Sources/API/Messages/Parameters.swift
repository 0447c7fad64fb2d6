import HTTP
import QuickActions
import Shortcuts

extension PathParameters {
    /// The version in the path, without a build: these routes take the build as `?build=`.
    func version() throws(Failure) -> AppVersion {
        let text = self["version"]
        if let version = AppVersion(text) { return version }
        if let build = AppBuild(text)?.build {
            throw Failure(
                .invalidVersion, "\(quoted(text)) has a build, which does not belong in the path. A fetch sends it as ?build=\(build).")
        }
        throw .invalidVersion(text)
    }
}

extension TextParsable {
    /// Parses the value of a query parameter.
    init(_ text: String, of parameter: String, else code: Failure.Code = .invalidParameter) throws(Failure) {
        guard let value = Self(text) else { throw Failure(code, "\(parameter): \(Self.rule(for: text))") }
        self = value
    }
}

extension Query {
    /// Rejects a repeated parameter, which is ambiguous.
    func requireUnique(except repeatable: Set<String> = []) throws(Failure) {
        guard let name = duplicates.first(where: { !repeatable.contains($0) }) else { return }
        throw Failure(.invalidParameter, "The query has the parameter \(quoted(name)) twice. Send it once.")
    }

    /// Rejects unknown parameters, so that a misspelled parameter is not silently ignored.
    func requireKnown(_ known: Set<String>) throws(Failure) {
        guard let unknown = items.first(where: { !known.contains($0.name) }) else { return }
        let choices = known.isEmpty ? "This operation has none" : "Use one of: \(known.sorted().joined(separator: ", "))"
        throw Failure(.invalidParameter, "The query parameter \(quoted(unknown.name)) is unknown. \(choices).")
    }

    /// The value of a version or a time. An unescaped plus sign arrives as a space; such values have no spaces, so spaces become plus
    /// signs.
    func withPlusSigns(_ name: String) -> String? {
        self[name]?.replacing(" ", with: "+")
    }

    /// - Throws: `code` for an invalid value.
    /// - Returns: nil without the parameter.
    func parsed<Value: TextParsable>(_ name: String, else code: Failure.Code = .invalidParameter) throws(Failure) -> Value? {
        try self[name].map { text throws(Failure) in try Value(text, of: name, else: code) }
    }

    var build: BuildNumber? {
        get throws(Failure) { try parsed("build", else: .invalidVersion) }
    }

    var audience: Audience? {
        get throws(Failure) { try parsed("audience") }
    }

    /// `revision`: the least revision of the app that an answer may have; 0 without the parameter. A number beyond `Int64` counts as a
    /// revision that does not exist yet.
    var revision: Int64 {
        get throws(Failure) {
            guard let text = self["revision"] else { return 0 }
            guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
                throw Failure(
                    .invalidParameter,
                    "revision: \(quoted(text)) is not the number of a revision. Use an integer of 0 or more, for example 42.")
            }
            return Int64(text) ?? .max
        }
    }

    /// `lang`: one language range, which replaces `Accept-Language`; `*` selects the app's default language.
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
    /// `Accept-Language` (RFC 9110 section 12.5.4); invalid language tags are ignored.
    var acceptedLanguages: LanguagePreference { LanguagePreference(accepted: fields.combined("Accept-Language")) }

    /// - Throws: `badRequest` if `If-Match` or `If-None-Match` is not a list of entity tags (RFC 9110 section 8.8.3).
    func requireReadablePreconditions() throws(Failure) {
        for name in ["If-Match", "If-None-Match"] {
            guard let value = fields.combined(name), EntityTagList(value) == nil else { continue }
            let isBare = !value.isEmpty && value.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
            let example = "\(name): \"\(isBare ? value : "8")\""
            let fault = isBare ? "The quotes are missing in \(name): \(value)." : "\(name) is not a list of entity tags."
            throw Failure(
                .badRequest, "\(fault) Send the ETag of the answer with its quotes: \(example). With curl: -H '\(example)'.")
        }
    }
}

extension LanguagePreference {
    /// - Parameter field: the value of `Accept-Language`.
    init(accepted field: String?) {
        let accepted = AcceptLanguage(field)
        self = .ranges(
            accepted.ranges.compactMap { LanguageTag($0.tag) }, refused: accepted.excluded.compactMap { LanguageTag($0) })
    }
}
