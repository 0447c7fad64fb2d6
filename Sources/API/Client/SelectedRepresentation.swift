import HTTP
import QuickActions
import Shortcuts

/// The representation that a fetch selects (RFC 9110 section 3.2), after negotiation. Fetches that get the same bytes select the same one,
/// however they are spelled.
struct SelectedRepresentation: Sendable {
    let app: AppID
    let resource: FetchRequest.Resource
    let client: AppBuild
    /// The audience whose set is in effect.
    let audience: Audience
    /// Nil if the resource has no language.
    let language: LanguageTag?
    /// Whether `Vary` has `Accept-Language`.
    let variesByLanguage: Bool
    /// Whether the language is the default, because no language of the client is available.
    let isDefaultLanguage: Bool
    let scope: WebScope?
    let isGzipped: Bool
    let notice: ParameterNotice?
    /// The version from which the set is in effect, and the number of its items that the client can show. With the other properties they
    /// determine the body, except for the client's version in it.
    let effectiveFrom: AppVersion
    let visibleBudget: Int

    /// The value of `Content-Location`: the target that selects this representation without negotiation (RFC 9110 section 8.7).
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

    /// The key of that fetch, under which the representation is cached.
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

    /// The key of the answer's template: all but the client's version and the content coding.
    func templateKey(seed: Int) -> AnswerKey {
        AnswerKey(
            parts: [
                "template", resource.path.rawValue, app.description, audience.description, effectiveFrom.description,
                visibleBudget.description, variesByLanguage ? "" : nil, resource.mediaType, language?.description, scope?.description,
            ], seed: seed)
    }

    private var parameters: [(name: String, value: String?)] {
        [
            ("audience", audience == .default ? nil : audience.description), ("build", client.build?.description),
            ("scope", scope.map { $0.description.percentEncoded }),
        ]
    }

    private func path(_ parameters: [(name: String, value: String?)]) -> String {
        var path = ClientPath(app, client.version, resource.path).description
        var separator = "?"
        for case (let name, let value?) in parameters {
            path += separator + name + "=" + value
            separator = "&"
        }
        return path
    }
}
