import HTTP
import Shortcuts

/// A fetch, understood: for whom, in which representation.
struct ShortcutsRequest {
    /// By media type, the one that is preferred first.
    enum Format: String, CaseIterable {
        case json = "application/json"
        case propertyList = "application/x-plist"
        case webManifest = "application/manifest+json"
        case android = "application/vnd.longpress.android+json"

        var mediaType: String { rawValue }
    }

    let client: Client
    let format: Format
    /// What the web manifest is narrowed to.
    private let scope: WebScope?
    let wish: CacheableAnswer.Wish

    static let varyWithoutLanguage = "Accept-Encoding, Accept"

    init(_ request: Request, _ parameters: PathParameters) throws(Failure) {
        let version = try parameters.version()
        try request.query.requireUnique()
        let build = try request.query.build
        let audience = try request.query.audience ?? .default
        let named = try request.query.language
        let language = named ?? request.acceptedLanguages
        scope = try request.query.scope
        client = Client(build: AppBuild(version, build: build), audience: audience, language: language)
        format = try Self.format(request)
        // Where the language came from `Accept-Language`, caches must tell by it.
        wish = CacheableAnswer.Wish(
            wantsGzip: AcceptEncoding(request.fields).prefersGzip,
            vary: named == nil ? Self.varyWithoutLanguage + ", Accept-Language" : Self.varyWithoutLanguage)
    }

    func bytes(of answer: ShortcutsAnswer) -> [UInt8] {
        switch format {
        case .json: answer.json.encoded
        case .propertyList: answer.json.xmlPropertyList
        case .webManifest: WebManifest(of: answer, within: scope).json.encoded
        case .android: AndroidShortcuts(of: answer).json.encoded
        }
    }

    /// Where this very representation can be had again.
    func location(of answer: ShortcutsAnswer) -> String {
        var location = "/v1/apps/\(answer.app)/versions/\(answer.client.version)/shortcuts?lang=\(answer.language)"
        if answer.audience != .default { location += "&audience=\(answer.audience)" }
        if let build = answer.client.build { location += "&build=\(build)" }
        if format == .webManifest, let scope { location += "&scope=\(PercentEncoding.encode(scope.description))" }
        return location
    }

    private static func format(_ request: Request) throws(Failure) -> Format {
        let offers = Format.allCases.map(\.mediaType)
        guard let chosen = Accept(request.fields).best(of: offers), let format = Format(rawValue: chosen) else {
            throw Failure(
                .notAcceptable,
                "There is no representation for Accept: \(quoted(request.fields.combined("Accept") ?? "")). "
                    + "Ask for \(offers.dropLast().joined(separator: ", ")) or \(offers.last ?? "").")
        }
        return format
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
