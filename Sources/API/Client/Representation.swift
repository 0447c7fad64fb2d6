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

/// The part of an app that decides which representation a fetch selects. It is cached for requests whose own key misses, so that neither
/// another spelling nor an arbitrary version needs the store.
struct NegotiationTable: Sendable {
    enum Selection {
        case representation(SelectedRepresentation)
        /// The version is older than every set.
        case absent
        /// The table lacks the version's range.
        case unknown
    }

    let app: AppID
    /// The app's last revision when it was read.
    let revision: Int64
    private let defaultLanguage: LanguageTag
    /// The first version of each audience's timeline.
    private let firstVersions: [Audience: AppVersion]
    /// For each release, the number of items that its clients show in addition to its static items, in `AppBuild.releaseOrder`.
    private let budgets: [(release: AppBuild, count: Int)]
    /// With the languages of the enabled items of the set in effect.
    private var ranges: [Audience: [(range: EffectiveRange, languages: [LanguageTag])]] = [:]

    init(_ snapshot: EffectiveSnapshot) {
        app = snapshot.app.id
        revision = snapshot.lastRevision
        defaultLanguage = snapshot.app.defaultLanguage
        firstVersions = snapshot.firstVersions
        budgets = snapshot.releases.map { ($0.id, $0.visibleBudget) }
        guard let effective = snapshot.effective, let range = snapshot.range else { return }
        ranges[snapshot.audience] = [(range, effective.set.titleLanguages)]
    }

    /// Adds the ranges of another table of the same app and generation.
    func merging(_ other: NegotiationTable) -> NegotiationTable {
        var table = self
        table.ranges.merge(other.ranges) { mine, others in
            mine + others.filter { other in !mine.contains { $0.range == other.range } }
        }
        return table
    }

    func select(_ request: FetchRequest) -> Selection {
        let isForEvery = request.client.audience == .every
        let audience = isForEvery || firstVersions[request.client.audience] != nil ? request.client.audience : .default
        let version = request.client.build.version
        guard let first = isForEvery ? firstVersions.values.min() : firstVersions[audience], first <= version else { return .absent }
        guard let (range, languages) = ranges[audience]?.first(where: { $0.range.contains(version) }) else { return .unknown }
        let isInALanguage = if case .shortcuts = request.resource { true } else { false }
        let language = isInALanguage ? request.client.language.lookUp(in: languages) ?? defaultLanguage : nil
        return .representation(
            SelectedRepresentation(
                app: app, resource: request.resource, client: request.client.build, audience: audience, language: language,
                variesByLanguage: !request.namesLanguage, isDefaultLanguage: language == defaultLanguage, scope: request.scope,
                isGzipped: request.wantsGzip, notice: request.notice, effectiveFrom: range.from,
                visibleBudget: request.resource == .continuity ? visibleMenuItems : budget(for: request.client.build)))
    }

    private func budget(for client: AppBuild) -> Int {
        budgets.last { !$0.release.isAbove(client) }?.count ?? visibleMenuItems
    }

    /// The hash under which it is cached. It contains a random seed, so that no client can choose it.
    static func hash(of app: AppID, seed: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(app)
        return hasher.finalize()
    }

    /// Its memory in bytes.
    var cost: Int {
        let languages = ranges.values.reduce(0) { $0 + $1.reduce(0) { $0 + 32 + $1.languages.count * 16 } + $1.count * 128 }
        return 512 + firstVersions.count * 96 + budgets.count * 88 + languages
    }
}

/// An answer with placeholders for the client's version. It is rendered once for all versions with the same set in effect, and completed
/// for each version.
struct AnswerTemplate: Sendable {
    /// A long body after the last placeholder. A cached template hashes and compresses it once for all versions.
    private struct Tail {
        let bytes: [UInt8]
        var digest: [UInt8]?
        var gzipped: GzipTail?
    }

    private let cacheControl: String
    private let vary: String
    /// The body with placeholders, without a long tail.
    private let head: [UInt8]
    private var tail: Tail?

    /// The size from which hashing and compressing the tail separately is faster, in bytes.
    private static let longTail = 16 << 10

    /// - Parameter body: with placeholders.
    init(_ body: [UInt8], vary: String, _ moment: CachePolicy.Moment) {
        self.vary = vary
        cacheControl = moment.ofMenu
        let split = WrittenVersion.endOfLastPlaceholder(in: body)
        let hasTail = body.count - split >= Self.longTail
        head = hasTail ? Array(body[..<split]) : body
        tail = hasTail ? Tail(bytes: Array(body[split...])) : nil
    }

    /// The template for a cache, with its tail hashed and compressed.
    var prepared: AnswerTemplate {
        guard var tail else { return self }
        tail.digest = sha256(tail.bytes)
        tail.gzipped = GzipTail(tail.bytes)
        var template = self
        template.tail = tail
        return template
    }

    /// Whether an event loop may complete a prepared template: that takes at most about 50 µs, including compression.
    func isQuick(for representation: SelectedRepresentation) -> Bool { !representation.isGzipped || head.count <= 8 << 10 }

    /// Its memory in bytes.
    var cost: Int {
        head.count + (tail?.bytes.count ?? 0) + (tail?.gzipped?.deflated.count ?? 0) + 512
    }

    /// Inserts the client's version, and compresses the body if the representation is gzipped.
    /// - Parameter key: the key of the representation.
    /// - Returns: nil if zlib cannot allocate memory.
    func completed(as representation: SelectedRepresentation, _ key: AnswerKey) -> PreparedAnswer? {
        let head = WrittenVersion.put(representation.client, into: head)
        let body: [UInt8]
        let hash: String
        switch (tail, representation.isGzipped) {
        case (nil, false):
            body = head
            hash = entityHash(of: head)
        case (let tail?, false):
            body = head + tail.bytes
            hash = entityHash(of: head + (tail.digest ?? sha256(tail.bytes)))
        case (let tail, true):
            let member = if let tail { (tail.gzipped ?? GzipTail(tail.bytes))?.member(behind: head) } else { gzip(head) }
            guard let member else { return nil }
            body = member
            hash = entityHash(of: member)
        }
        var fields: Fields = [
            "ETag": EntityTag(opaque: hash).description, "Cache-Control": cacheControl, "Vary": vary,
            "Content-Location": representation.location,
        ]
        // The 304 has these, and none of the following (RFC 9110 section 15.4.5).
        let validators = fields.count
        fields.append("Content-Type", representation.resource.mediaType)
        if let language = representation.language { fields.append("Content-Language", language.description) }
        fields.append("Surrogate-Key", "app/\(representation.app)")
        if representation.isGzipped { fields.append("Content-Encoding", "gzip") }
        if let notice = representation.notice { fields.append(ParameterNotice.field, notice.text) }
        return PreparedAnswer(
            prefix: key.bytes, fields: fields, validators: validators, body: body, route: representation.resource.route)
    }
}
