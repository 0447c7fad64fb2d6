import HTTP
import QuickActions
import Shortcuts

/// What a fetch is answered with, once its preferences were looked up among what there is (RFC 9110 section 3.2): however it was
/// spelled, who gets the same bytes has the same selected representation.
struct SelectedRepresentation: Sendable {
    let app: AppID
    let resource: FetchRequest.Resource
    let client: AppBuild
    /// The audience that is served.
    let audience: Audience
    /// Nil where the resource is in no language.
    let language: LanguageTag?
    /// Whether the answer says that it varies by `Accept-Language`.
    let variesByLanguage: Bool
    /// Whether the language is what is served where none of the wanted ones fits.
    let isDefaultLanguage: Bool
    let scope: WebScope?
    let isGzipped: Bool
    let notice: ParameterNotice?
    /// Where the set in effect begins, and how many of its items the client can show: with the rest they decide about the body but
    /// for the client's version.
    let effectiveFrom: AppVersion
    let visibleBudget: Int

    /// Where this very representation can be had again, without negotiation: `Content-Location` (RFC 9110 section 8.7).
    var location: String { path([("lang", language?.description)] + parameters) }

    /// The simplest fetch that selects it.
    var fetch: FetchRequest {
        let preference: LanguagePreference =
            switch language {
            case let language? where !variesByLanguage: .exactly(language)
            case let language? where !isDefaultLanguage: .ranges([language], refused: [])
            default: .none
            }
        return FetchRequest(
            resource: resource, client: Client(build: client, audience: audience, language: preference), namesLanguage: !variesByLanguage,
            scope: scope, wantsGzip: isGzipped, notice: notice)
    }

    /// The key of that fetch: what is selected alike is kept once, under it.
    func key(seed: Int) -> AnswerKey {
        let named = variesByLanguage ? nil : language?.description
        let accepted = variesByLanguage && !isDefaultLanguage ? language?.description : nil
        return AnswerKey(
            parts: [
                path([("lang", named)] + parameters + (notice.map { [($0.example, "")] } ?? [])),
                resource.mediaType == FetchRequest.Format.json.mediaType ? nil : resource.mediaType,
                isGzipped ? "gzip" : nil, accepted,
            ], seed: seed)
    }

    /// What decides about the template of the answer: all but the client's own version and the content coding.
    func templateKey(seed: Int) -> AnswerKey {
        let words: [any CustomStringConvertible] = ["template", app, audience, effectiveFrom, visibleBudget, variesByLanguage]
        return AnswerKey(
            parts: [
                words.map(\.description).joined(separator: " "), resource == .continuity ? nil : resource.mediaType,
                language?.description, scope?.description,
            ], seed: seed)
    }

    private var parameters: [(name: String, value: String?)] {
        [
            ("audience", audience == .default ? nil : audience.description), ("build", client.build?.description),
            ("scope", scope.map { PercentEncoding.encode($0.description) }),
        ]
    }

    private func path(_ parameters: [(name: String, value: String?)]) -> String {
        var path = "/v1/apps/\(app)/versions/\(client.version)/\(resource == .continuity ? "continuity" : "shortcuts")"
        var separator = "?"
        for case (let name, let value?) in parameters {
            path += separator + name + "=" + value
            separator = "&"
        }
        return path
    }
}
