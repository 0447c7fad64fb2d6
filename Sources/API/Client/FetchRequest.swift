import HTTP
import QuickActions
import Shortcuts

/// A fetch of the client plane, understood as far as that goes without looking at the app: what, for whom, in which form.
struct FetchRequest: Sendable {
    /// By media type, the one that is preferred first.
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

        var mediaType: String {
            switch self {
            case .shortcuts(let format): format.mediaType
            case .continuity: "application/json"
            }
        }

        /// The name of the route that answers with it, for metrics.
        var route: String { self == .continuity ? ClientRoutes.continuityName : ClientRoutes.shortcutsName }
    }

    /// The fields that decide about the answer, each as the one value it stands for.
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
    /// Whether `?lang=` decided about the language. Where it was `Accept-Language`, caches must tell by it.
    let namesLanguage: Bool
    let wantsGzip: Bool
    private let version: AppVersion
    private let language: LanguagePreference
    private let rare: Rare?

    /// What few fetches have, apart: each answer that is kept has a fetch beside it.
    private final class Rare: Sendable {
        let build: BuildNumber?
        let audience: Audience
        let scope: WebScope?
        let notice: ParameterNotice?

        init?(build: BuildNumber?, audience: Audience, scope: WebScope?, notice: ParameterNotice?) {
            guard build != nil || audience != .default || scope != nil || notice != nil else { return nil }
            self.build = build
            self.audience = audience
            self.scope = scope
            self.notice = notice
        }
    }

    init(
        resource: Resource, client: Client, namesLanguage: Bool, scope: WebScope?, wantsGzip: Bool, notice: ParameterNotice?
    ) {
        self.resource = resource
        self.namesLanguage = namesLanguage
        self.wantsGzip = wantsGzip
        version = client.build.version
        language = client.language
        rare = Rare(build: client.build.build, audience: client.audience, scope: scope, notice: notice)
    }

    var client: Client {
        Client(build: AppBuild(version, build: rare?.build), audience: rare?.audience ?? .default, language: language)
    }

    /// What a web manifest is narrowed to.
    var scope: WebScope? { rare?.scope }

    /// What is told of an unknown parameter that looks like one of ours.
    var notice: ParameterNotice? { rare?.notice }

    static func shortcuts(_ version: AppVersion, _ query: Query, _ negotiation: Negotiation) throws(Failure) -> FetchRequest {
        try query.requireUnique()
        let build = try query.build
        let audience = try query.audience ?? .default
        let named = try query.language
        let scope = try query.scope
        let format = try format(negotiation)
        let language = named ?? LanguagePreference(accepted: negotiation.acceptLanguage)
        return FetchRequest(
            resource: .shortcuts(format), client: Client(build: AppBuild(version, build: build), audience: audience, language: language),
            namesLanguage: named != nil, scope: format == .webManifest ? scope : nil,
            wantsGzip: AcceptEncoding(negotiation.acceptEncoding).prefersGzip,
            notice: ParameterNotice(query.items.map(\.name), known: [.lang, .audience, .build, .scope]))
    }

    static func continuity(_ version: AppVersion, _ query: Query, _ negotiation: Negotiation) throws(Failure) -> FetchRequest {
        try query.requireUnique()
        let audience = try query.audience ?? .default
        try requireJSONAccepted(negotiation.accept)
        return FetchRequest(
            resource: .continuity, client: Client(build: AppBuild(version), audience: audience, language: .none), namesLanguage: true,
            scope: nil, wantsGzip: AcceptEncoding(negotiation.acceptEncoding).prefersGzip,
            notice: ParameterNotice(query.items.map(\.name), known: [.audience]))
    }

    static func requireJSONAccepted(_ accept: String?) throws(Failure) {
        guard Accept(accept).best(of: [Format.json.mediaType]) == nil else { return }
        throw Failure(.notAcceptable, "There is only JSON here. Ask for application/json.")
    }

    /// The fields that the bytes depend on.
    var vary: String { "Accept-Encoding, Accept" + (namesLanguage ? "" : ", Accept-Language") }

    private static func format(_ negotiation: Negotiation) throws(Failure) -> Format {
        let offers = Format.allCases.map(\.mediaType)
        guard let chosen = Accept(negotiation.accept).best(of: offers), let format = Format(rawValue: chosen) else {
            throw Failure(
                .notAcceptable,
                "There is no representation for Accept: \(quoted(negotiation.accept ?? "")). "
                    + "Ask for \(offers.dropLast().joined(separator: ", ")) or \(offers.last ?? "").")
        }
        return format
    }
}

extension FetchRequest {
    /// A fetch as an event loop reads it from a request's head. What is wrong with one is for its route to say: here it is none.
    static func read(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> (app: AppID, fetch: FetchRequest)? {
        let path = bytes.text(head.path)
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.count == 7, !path.utf8.contains(UInt8(ascii: "%")), segments[0].isEmpty, segments[1].elementsEqual("v1".utf8),
            segments[2].elementsEqual("apps".utf8), segments[4].elementsEqual("versions".utf8),
            let app = AppID(String(decoding: segments[3], as: UTF8.self)),
            let version = AppVersion(String(decoding: segments[5], as: UTF8.self))
        else { return nil }
        let isContinuity = segments[6].elementsEqual("continuity".utf8)
        guard isContinuity || segments[6].elementsEqual("shortcuts".utf8) else { return nil }
        func text(_ range: Range<Int>?) -> String? { range.map { bytes.text($0) } }
        let fields = Negotiation(
            accept: text(head.accept), acceptEncoding: text(head.acceptEncoding), acceptLanguage: text(head.acceptLanguage))
        guard let query = try? Query(decoding: text(head.query) ?? ""),
            let fetch = try? isContinuity ? continuity(version, query, fields) : shortcuts(version, query, fields)
        else { return nil }
        return (app, fetch)
    }
}

extension Query {
    /// What a web manifest's shortcuts must lie within.
    fileprivate var scope: WebScope? {
        get throws(Failure) {
            guard let text = self["scope"] else { return nil }
            guard let scope = WebScope(text) else { throw Failure(.invalidParameter, "scope: \(WebScope.rule(for: text))") }
            return scope
        }
    }
}
