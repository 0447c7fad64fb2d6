internal import Foundation
internal import QuickActions

/// A stored response of the service: its body, entity tag and freshness, and the key of its request.
struct KeptAnswer: Sendable {
    /// `Installation.menuKey` or `bundleKey` of the request.
    let key: String
    /// For `If-None-Match`.
    let etag: String?
    private(set) var freshness: Freshness
    /// The arm that the installation chose. Nil without a roll-out. Earlier versions of the library did not store it.
    var arm: RolloutArm?
    let body: [UInt8]

    init(_ response: LongpressResponse, key: String, at now: Timestamp) {
        self.key = key
        etag = response.field("etag")
        freshness = Freshness(response, at: now)
        body = [UInt8](response.body)
    }

    /// Whether this is the answer to a request of the installation, in any language.
    func isFor(_ installation: Installation) -> Bool {
        key == installation.bundleKey || key.hasPrefix(installation.bundleKey + " ")
    }

    /// The same answer with the freshness of a 304 that confirmed it.
    func confirmed(by response: LongpressResponse, at now: Timestamp) -> KeptAnswer {
        var answer = self
        // A field that the 304 leaves out keeps its value (RFC 9111 section 3.2).
        answer.freshness =
            response.field("cache-control") == nil
            ? Freshness(since: now, maxAge: freshness.maxAge, staleIfError: freshness.staleIfError) : Freshness(response, at: now)
        return answer
    }

    /// Nil if the file is damaged or has another format.
    init?(_ file: Data) {
        guard let bytes = Seal.open(file), let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONReader.read(Array(bytes[..<end])), head["form"]?.asInteger == Self.form,
            let key = head["key"]?.asText?.string,
            let since = head["since"]?.asInteger, let maxAge = head["maxAge"]?.asInteger, let stale = head["staleIfError"]?.asInteger
        else { return nil }
        self.key = key
        etag = head["etag"]?.asText?.string
        freshness = Freshness(since: Timestamp(milliseconds: since), maxAge: maxAge, staleIfError: stale)
        arm = head["arm"]?.asText.flatMap { RolloutArm(rawValue: $0.string) }
        body = Array(bytes[(end + 1)...])
    }

    var file: Data {
        let head: JSON = [
            "form": .integer(Self.form), "key": .string(key), "etag": etag.map { .string($0) },
            "since": .integer(freshness.since.milliseconds), "maxAge": .integer(freshness.maxAge),
            "staleIfError": .integer(freshness.staleIfError), "arm": arm.map { .string($0.rawValue) },
        ]
        return Seal.close(head.encodedLine + body)
    }

    private static let form: Int64 = 1
}

/// The stored argument of the last `update(audience:)`.
struct KeptAudience: Sendable, Equatable {
    /// Nil for the default audience, for example after a log-out.
    let audience: String?
    /// The audience in the configuration at that time. If the configuration has changed since, its audience is newer.
    let configured: String?

    init(audience: String?, configured: String?) {
        self.audience = audience
        self.configured = configured
    }

    init?(_ file: Data) {
        guard let bytes = Seal.open(file), let json = try? JSONReader.read(bytes), json["audience"] != nil else { return nil }
        audience = json["audience"]?.asText?.string
        configured = json["configured"]?.asText?.string
    }

    var file: Data {
        let json: JSON = ["audience": .optional(audience), "configured": .optional(configured)]
        return Seal.close(json.encoded)
    }
}
