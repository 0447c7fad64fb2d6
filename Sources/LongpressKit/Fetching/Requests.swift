internal import Foundation
internal import QuickActions

extension Installation {
    private static let mostOfAnAnswer = 1 << 20
    private static let mostOfABundle = 16 << 20

    /// - Parameter etag: the entity tag of the stored answer.
    func menuRequest(_ server: URL, preview: Preview? = nil, etag: String?) -> LongpressRequest? {
        var headers = ["Accept-Language": acceptLanguage]
        headers["Authorization"] = preview.map { "Bearer \($0.token)" }
        let query = preview.map { [URLQueryItem(name: "preview", value: $0.id)] } ?? []
        return fetch(.shortcuts, server, headers, query, etag, limit: Self.mostOfAnAnswer)
    }

    func bundleRequest(_ server: URL, etag: String?) -> LongpressRequest? {
        fetch(.bundle, server, [:], [], etag, limit: Self.mostOfABundle)
    }

    /// Sends only what the service needs to resolve the tap: type, version tag, audience, build, arm.
    /// - Parameters:
    ///   - isCounted: whether the service counts the tap.
    ///   - arm: of the shown menu.
    func tapRequest(_ server: URL, type: String, tag: [JSON.Member], isCounted: Bool, in arm: ChosenArm?) -> LongpressRequest? {
        let body: JSON = [
            "type": .string(type), "userInfo": .object(tag), "audience": .string(audience), "build": build.build.map { .string($0) },
            "counted": isCounted ? nil : .boolean(false), "rollout": arm?.json,
        ]
        return post(body, to: "", server)
    }

    func countsRequest(_ server: URL, _ batch: CountedTaps.Batch) -> LongpressRequest? { post(batch.json, to: "/counts", server) }

    /// - Parameter part: of the taps.
    private func post(_ body: JSON, to part: String, _ server: URL) -> LongpressRequest? {
        url(.taps, part, server, []).map { url in
            LongpressRequest(
                method: "POST", url: url,
                headers: ["Accept": "application/json", "Content-Type": "application/json", "Accept-Language": acceptLanguage],
                body: Data(body.encoded), limit: Self.mostOfAnAnswer)
        }
    }

    private func fetch(
        _ resource: ClientPath.Resource, _ server: URL, _ more: [String: String], _ others: [URLQueryItem], _ etag: String?, limit: Int
    ) -> LongpressRequest? {
        var query = audience == .default ? [] : [URLQueryItem(name: "audience", value: audience.description)]
        if let build = build.build { query.append(URLQueryItem(name: "build", value: build.description)) }
        query += others
        var headers = more.merging(["Accept": "application/json"]) { mine, _ in mine }
        if let etag { headers["If-None-Match"] = etag }
        return url(resource, "", server, query).map { url in
            LongpressRequest(method: "GET", url: url, headers: headers, body: nil, limit: limit)
        }
    }

    private func url(_ resource: ClientPath.Resource, _ part: String, _ server: URL, _ query: [URLQueryItem]) -> URL? {
        guard var components = URLComponents(url: server, resolvingAgainstBaseURL: true) else { return nil }
        var path = components.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        components.percentEncodedPath = path + ClientPath(app, build.version, resource).description + part
        components.queryItems = query.isEmpty ? nil : query
        components.fragment = nil
        return components.url
    }
}

extension LongpressResponse {
    /// The value of a header field; nil if it is missing.
    func field(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name }?.value
    }

    /// Whether this is the problem document (RFC 9457) `/problems/no-shortcut-set`: the app keeps its registered items.
    var meansKeep: Bool { status == 404 && problem == "no-shortcut-set" }

    /// The last part of the problem's type; nil if the body is not a problem document.
    var problem: Substring? { (try? JSONReader.read(Array(body)))?["type"]?.asText?.string.split(separator: "/").last }

    /// The `Retry-After` of a 429 or 503.
    func retryAfter(now: Timestamp) -> Duration? {
        guard status == 429 || status == 503, let text = field("retry-after") else { return nil }
        return RetryAfter(text, now: now).map { .milliseconds($0.milliseconds) }
    }
}
