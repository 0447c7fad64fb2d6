import HTTP
import QuickActions
import Shortcuts

/// A parsed fetch of the client plane: resource, client, language preferences and format, without reading the app.
struct FetchRequest: Sendable {
    /// The media types, in the service's order of preference.
    enum Format: String, CaseIterable, Sendable {
        case json = "application/json"
        case propertyList = "application/x-plist"
        case webManifest = "application/manifest+json"
        case android = "application/vnd.longpress.android+json"

        var mediaType: String { rawValue }
    }

    enum Resource: Equatable, Sendable {
        case shortcuts(Format)
        case continuity
        case bundle

        var path: ClientPath.Resource {
            switch self {
            case .shortcuts: .shortcuts
            case .continuity: .continuity
            case .bundle: .bundle
            }
        }

        var mediaType: String {
            switch self {
            case .shortcuts(let format): format.mediaType
            case .continuity, .bundle: Format.json.mediaType
            }
        }

        /// The name of its route, for metrics.
        var route: String {
            switch self {
            case .shortcuts: ClientRoutes.shortcutsName
            case .continuity: ClientRoutes.continuityName
            case .bundle: ClientRoutes.bundleName
            }
        }
    }

    /// The negotiation fields, repeated ones combined.
    struct Negotiation {
        let accept: String?
        let acceptEncoding: String?
        let acceptLanguage: String?

        init(accept: String?, acceptEncoding: String?, acceptLanguage: String?) {
            self.accept = accept
            self.acceptEncoding = acceptEncoding
            self.acceptLanguage = acceptLanguage
        }

        init(_ fields: Fields) {
            accept = fields.combined("Accept")
            acceptEncoding = fields.combined("Accept-Encoding")
            acceptLanguage = fields.combined("Accept-Language")
        }
    }

    let resource: Resource
    /// Whether the language is from `?lang=`; otherwise the answer varies by `Accept-Language`.
    let namesLanguage: Bool
    let wantsGzip: Bool
    private let version: AppVersion
    private let language: LanguagePreference
    private let rare: Rare?

    /// Values that few fetches have. They are in a separate object, because each cached answer stores its fetch.
    private final class Rare: Sendable {
        let build: BuildNumber?
        let audience: Audience
        let scope: WebScope?
        let notice: ParameterNotice?
        let leastRevision: Int64

        init?(build: BuildNumber?, audience: Audience, scope: WebScope?, notice: ParameterNotice?, leastRevision: Int64) {
            guard build != nil || audience != .default || scope != nil || notice != nil || leastRevision > 0 else { return nil }
            self.build = build
            self.audience = audience
            self.scope = scope
            self.notice = notice
            self.leastRevision = leastRevision
        }
    }

    init(
        resource: Resource, client: Client, namesLanguage: Bool, scope: WebScope?, wantsGzip: Bool, notice: ParameterNotice?,
        leastRevision: Int64 = 0
    ) {
        self.resource = resource
        self.namesLanguage = namesLanguage
        self.wantsGzip = wantsGzip
        version = client.build.version
        language = client.language
        rare = Rare(build: client.build.build, audience: client.audience, scope: scope, notice: notice, leastRevision: leastRevision)
    }

    var client: Client {
        Client(build: AppBuild(version, build: rare?.build), audience: rare?.audience ?? .default, language: language)
    }

    /// The scope that a web manifest's shortcuts must be within.
    var scope: WebScope? { rare?.scope }

    /// The notice about an unknown parameter that resembles a known one.
    var notice: ParameterNotice? { rare?.notice }

    /// The least revision of the app that the answer may have; 0 for any. It does not change the content of the answer.
    var leastRevision: Int64 { rare?.leastRevision ?? 0 }

    /// The fetch without `leastRevision`.
    var forAnyRevision: FetchRequest {
        guard leastRevision > 0 else { return self }
        return FetchRequest(
            resource: resource, client: client, namesLanguage: namesLanguage, scope: scope, wantsGzip: wantsGzip, notice: notice)
    }

    static func shortcuts(_ version: AppVersion, _ query: Query, _ negotiation: Negotiation) throws(Failure) -> FetchRequest {
        try query.requireUnique()
        let build = try query.build
        let audience = try query.audience ?? .default
        let named = try query.language
        let scope: WebScope? = try query.parsed("scope")
        let revision = try query.revision
        let format = try format(negotiation)
        let language = named ?? LanguagePreference(accepted: negotiation.acceptLanguage)
        return FetchRequest(
            resource: .shortcuts(format), client: Client(build: AppBuild(version, build: build), audience: audience, language: language),
            namesLanguage: named != nil, scope: format == .webManifest ? scope : nil,
            wantsGzip: AcceptEncoding(negotiation.acceptEncoding).prefers("gzip"),
            notice: ParameterNotice(query.items.map(\.name), known: [.lang, .audience, .build, .scope, .revision]), leastRevision: revision)
    }

    static func continuity(_ version: AppVersion, _ query: Query, _ negotiation: Negotiation) throws(Failure) -> FetchRequest {
        try query.requireUnique()
        let audience = try query.audience ?? .default
        let revision = try query.revision
        try requireJSONAccepted(negotiation.accept)
        return FetchRequest(
            resource: .continuity, client: Client(build: AppBuild(version), audience: audience, language: .none), namesLanguage: true,
            scope: nil, wantsGzip: AcceptEncoding(negotiation.acceptEncoding).prefers("gzip"),
            notice: ParameterNotice(query.items.map(\.name), known: [.audience, .revision]), leastRevision: revision)
    }

    static func bundle(_ version: AppVersion, _ query: Query, _ negotiation: Negotiation) throws(Failure) -> FetchRequest {
        try query.requireUnique()
        let build = try query.build
        let audience = query["audience"] == Audience.every.description ? .every : try query.audience ?? .default
        let revision = try query.revision
        try requireJSONAccepted(negotiation.accept)
        return FetchRequest(
            resource: .bundle, client: Client(build: AppBuild(version, build: build), audience: audience, language: .none),
            namesLanguage: true, scope: nil, wantsGzip: AcceptEncoding(negotiation.acceptEncoding).prefers("gzip"),
            notice: ParameterNotice(query.items.map(\.name), known: [.audience, .build, .revision]), leastRevision: revision)
    }

    static func requireJSONAccepted(_ accept: String?) throws(Failure) {
        guard Accept(accept).best(of: [Format.json.mediaType]) == nil else { return }
        throw Failure(.notAcceptable, "This resource is only available as JSON. Send the field Accept: application/json.")
    }

    /// The value of `Vary`.
    var vary: String { "Accept-Encoding, Accept" + (namesLanguage ? "" : ", Accept-Language") }

    private static func format(_ negotiation: Negotiation) throws(Failure) -> Format {
        let offers = Format.allCases.map(\.mediaType)
        guard let chosen = Accept(negotiation.accept).best(of: offers), let format = Format(rawValue: chosen) else {
            throw Failure(
                .notAcceptable,
                "Nothing matches Accept: \(quoted(negotiation.accept ?? "")). Use \(offers.dropLast().joined(separator: ", ")) or "
                    + "\(offers.last ?? "").")
        }
        return format
    }
}

extension FetchRequest {
    /// Parses a fetch from the head of a request, on an event loop. Nil for invalid fetches, previews of drafts and other requests, which their routes answer.
    static func read(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> (app: AppID, fetch: FetchRequest)? {
        guard let path = ClientPath(bytes.text(head.path)) else { return nil }
        let parse: (AppVersion, Query, Negotiation) throws(Failure) -> FetchRequest
        switch path.resource {
        case .shortcuts: parse = shortcuts
        case .continuity: parse = continuity
        case .bundle: parse = bundle
        case .taps: return nil
        }
        func text(_ range: Range<Int>?) -> String? { range.map { bytes.text($0) } }
        let fields = Negotiation(
            accept: text(head.accept), acceptEncoding: text(head.acceptEncoding), acceptLanguage: text(head.acceptLanguage))
        guard let query = try? Query(decoding: text(head.query) ?? ""),
            query[PreviewAccess.parameter] == nil || path.resource != .shortcuts,
            let fetch = try? parse(path.version, query, fields)
        else { return nil }
        return (path.app, fetch)
    }
}
