import HTTP
import QuickActions
import Shortcuts

/// The routes of the client plane: the menu and the continuity document that backends and apps fetch, and the meaning of a tap.
package struct ClientRoutes: Sendable {
    let apps: any AppStore
    let taps: any TapCounter
    let reports: any TapReportStore
    let limit = TapReportLimit()
    let policy: CachePolicy
    private let cache: SharedCache
    let clock: any WallClock
    /// Nil if the service has no previews.
    let previews: PreviewAccess?

    package init(
        apps: any AppStore, taps: any TapCounter, reports: any TapReportStore, policy: CachePolicy, cache: SharedCache,
        clock: any WallClock, previews: PreviewAccess? = nil
    ) {
        self.apps = apps
        self.taps = taps
        self.reports = reports
        self.policy = policy
        self.cache = cache
        self.clock = clock
        self.previews = previews
    }

    package static let shortcutsName = "getShortcuts"
    package static let continuityName = "getContinuity"
    package static let bundleName = "getBundle"

    package var routes: [Route] {
        [
            Route(.get, ClientPath.Resource.shortcuts.template, name: Self.shortcutsName, runs: .onWorker) { request, parameters in
                request.query[PreviewAccess.parameter] == nil
                    ? answering(request, about: subject(parameters)) { _ throws(Failure) in
                        try fetch(request, parameters, Self.shortcutsName)
                    } : preview(request, parameters)
            },
            Route(.get, ClientPath.Resource.continuity.template, name: Self.continuityName, runs: .onWorker) { request, parameters in
                answering(request, about: subject(parameters)) { _ throws(Failure) in try fetch(request, parameters, Self.continuityName) }
            },
            Route(.get, ClientPath.Resource.bundle.template, name: Self.bundleName, runs: .onWorker) { request, parameters in
                answering(request, about: subject(parameters)) { _ throws(Failure) in try fetch(request, parameters, Self.bundleName) }
            },
            Route(.post, ClientPath.Resource.taps.template, name: "resolveTap", bodyLimit: Self.tapLimit, runs: .onWorker) {
                request, parameters in
                answering(request, about: subject(parameters)) { _ throws(Failure) in try tap(request, parameters) }
            },
            Route(
                .post, ClientPath.Resource.taps.template + "/counts", name: "reportTaps", bodyLimit: Self.reportLimit, runs: .onWriter
            ) { request, parameters in
                answering(request, about: subject(parameters)) { _ throws(Failure) in try report(request, parameters) }
            },
        ]
    }

    /// Must be called after each commit that may have changed the app's answers, by one thread at a time per app. After it returns, no
    /// fetch gets a previous answer.
    package func refresh(_ app: AppID) {
        cache.refresh(app) { fetches in
            // A store that does not answer now does not answer the next call either.
            guard let contents = try? contents(for: fetches, of: app) else { return [] }
            var entries: [CacheEntry] = []
            for (fetch, content) in zip(fetches, contents) {
                guard let (entry, moment) = try? render(fetch, content), moment.mayBeKept, let entry else { break }
                entries.append(entry)
            }
            return entries
        }
    }

    /// Leaves the address out: the log does not record where end users are.
    func subject(_ parameters: PathParameters) -> Refusal.Subject {
        Refusal.Subject(app: AppID(parameters["app"])?.description)
    }

    /// Answers a fetch that no event loop has parsed, such as one with `If-Match`.
    private func fetch(_ request: Request, _ parameters: PathParameters, _ route: String) throws(Failure) -> Response {
        let fetch: FetchRequest
        do throws(Failure) {
            fetch = try parseFetch(request, parameters, route)
        } catch {
            // An unknown app takes precedence over other errors.
            _ = try snapshot(parameters)
            throw error
        }
        guard let app = AppID(parameters["app"]) else { throw .unknownApp(named: parameters["app"]) }
        return try answer(request, fetch, of: app, AnswerKey(of: request, seed: cache.seed), nil)
    }

    /// How to answer a fetch that an event loop has parsed, and has no answer for.
    /// - Parameters:
    ///   - spelling: the request's own key.
    ///   - lookup: what the loop has found; nil to ask the store for changes first.
    func decision(for fetch: FetchRequest, of app: AppID, _ spelling: AnswerKey, _ lookup: SharedCache.Lookup?) -> RouteDecision {
        let place: Route.Place = if case .absent? = lookup { .onLoop } else { .onWorker }
        return RouteDecision(name: fetch.resource.route, body: .ignored, runs: place) { request in
            answering(request, about: Refusal.Subject(app: app.description)) { _ throws(Failure) in
                try answer(request, fetch, of: app, spelling, lookup)
            }
        }
    }

    /// Answers from the cache or by rendering, and caches the answer.
    private func answer(
        _ request: Request, _ fetch: FetchRequest, of app: AppID, _ spelling: AnswerKey?, _ found: SharedCache.Lookup?
    ) throws(Failure) -> Response {
        // One process that writes alone knows every revision.
        let fetch = apps.freshness.isPermanent ? fetch.forAnyRevision : fetch
        let isCutOff = found == nil && !catchUp(for: fetch.leastRevision)
        // What is cached is as new as the fetch requires, unless the store could not be reached.
        let isRecent = apps.freshness.isPermanent || found == nil && !isCutOff
        let lookup = found ?? cache.lookUp(isRecent ? fetch.forAnyRevision : fetch, of: app)
        if case .absent = lookup { return noMenuResponse(request, app, fetch, policy.at(clock.now(), nextPublish: nil)) }
        do throws(Failure) {
            return try cache.response(to: request, fetch, of: app, spelling, lookup, isRecent: isRecent) { () throws(Failure) in
                try render(request, fetch, of: app, isCutOff: isCutOff)
            }
        } catch {
            guard error.code == .noShortcutSet else { throw error }
            return noMenuResponse(request, app, fetch, policy.at(clock.now(), nextPublish: nil))
        }
    }

    /// Updates the snapshots in memory from the store if necessary.
    /// - Parameter revision: the least revision that the client requires.
    /// - Returns: false if the store does not answer. Snapshots in memory are then used without asking it again.
    func catchUp(for revision: Int64) -> Bool {
        guard !apps.freshness.isPermanent, revision > 0 || !apps.freshness.isConfirmed else { return true }
        do throws(Failure) {
            if revision > 0 { try apps.catchUpCompletely() } else { try apps.catchUp() }
            return true
        } catch {
            return false
        }
    }

    /// - Throws: `noShortcutSet` if a stale snapshot has no set for the fetch, so that the requests that wait do not ask the store again.
    private func render(
        _ request: Request, _ fetch: FetchRequest, of app: AppID, isCutOff: Bool
    ) throws(Failure) -> SharedCache.Outcome {
        let (entry, moment) = try render(fetch, try content(for: fetch, of: app, isCutOff: isCutOff))
        guard let entry else {
            if moment.isOutdated { throw noShortcutSet(fetch) }
            return .response(noMenuResponse(request, app, fetch, moment))
        }
        if moment.isOutdated { return .lastKnown(entry.answer) }
        return moment.mayBeKept ? .answer(entry) : .response(try entry.answer.response(to: request))
    }

    func parseFetch(_ request: Request, _ parameters: PathParameters, _ route: String) throws(Failure) -> FetchRequest {
        let version = try parameters.version()
        let fields = FetchRequest.Negotiation(request.fields)
        return switch route {
        case Self.continuityName: try .continuity(version, request.query, fields)
        case Self.bundleName: try .bundle(version, request.query, fields)
        default: try .shortcuts(version, request.query, fields)
        }
    }

    /// The app as a fetch sees it, and the body with placeholders for the client's version; nil if no set is in effect for it.
    private typealias Content = (snapshot: EffectiveSnapshot, body: [UInt8]?)

    /// - Returns: a nil entry if no set is in effect for the fetch.
    private func render(
        _ fetch: FetchRequest, _ content: Content
    ) throws(Failure) -> (entry: CacheEntry?, moment: CachePolicy.Moment) {
        let (snapshot, body) = content
        if snapshot.isStale { try require(fetch.leastRevision, from: snapshot.lastRevision) }
        // An answer from a stale snapshot is sent and not cached.
        let moment = policy.at(clock.now(), nextPublish: snapshot.nextPublish, mayBeOutdated: snapshot.isStale)
        let table = NegotiationTable(snapshot)
        guard let body, case .representation(let selected) = table.select(fetch) else { return (nil, moment) }
        let template = AnswerTemplate(body, vary: fetch.vary, moment)
        let key = selected.key(seed: cache.seed)
        guard let answer = template.completed(as: selected, key) else {
            throw Failure(.overloaded, "The service has no memory to compress the answer. Send the request again, or without gzip.")
        }
        return (CacheEntry(answer: answer, key: key, representation: selected, origin: .store(template, table)), moment)
    }

    private func content(for fetch: FetchRequest, of app: AppID, isCutOff: Bool) throws(Failure) -> Content {
        let (version, audience) = (fetch.client.build.version, fetch.client.audience)
        if fetch.needsWholeApp {
            guard let snapshot = try snapshot(of: app, isCutOff: isCutOff) else { throw .unknownApp(named: app.description) }
            return content(for: fetch, in: snapshot)
        }
        guard let snapshot = try effectiveSnapshot(of: app, for: version, audience, isCutOff: isCutOff) else {
            throw .unknownApp(named: app.description)
        }
        return content(for: fetch, in: snapshot)
    }

    /// Reads the app once. Reads it whole only if one of the fetches needs that.
    /// - Returns: nil if the app does not exist.
    private func contents(for fetches: [FetchRequest], of app: AppID) throws(Failure) -> [Content]? {
        guard fetches.contains(where: \.needsWholeApp) else {
            let clients = fetches.map { (version: $0.client.build.version, audience: $0.client.audience) }
            return try apps.snapshots(of: app, effectiveFor: clients).map { zip(fetches, $0).map { content(for: $0, in: $1) } }
        }
        return try apps.snapshot(of: app).map { snapshot in fetches.map { content(for: $0, in: snapshot) } }
    }

    private func content(for fetch: FetchRequest, in snapshot: AppSnapshot) -> Content {
        let (version, audience) = (fetch.client.build.version, fetch.client.audience)
        let effective = snapshot.effective(for: version, audience)
        switch fetch.resource {
        case .continuity: return (effective, Continuity(for: version, audience, in: snapshot)?.withPlaceholders.json.encodedLine)
        case .bundle where audience == .every:
            return (effective, AudienceBundles(for: fetch.client.build, in: snapshot)?.withPlaceholders.json.encodedLine)
        case .bundle:
            return (effective, OfflineBundle(for: fetch.client.build, audience, in: snapshot)?.withPlaceholders.json.encodedLine)
        case .shortcuts: return content(for: fetch, in: effective)
        }
    }

    /// For a fetch of a menu.
    private func content(for fetch: FetchRequest, in snapshot: EffectiveSnapshot) -> Content {
        guard case .shortcuts(let format) = fetch.resource else { return (snapshot, nil) }
        let answer = ShortcutsAnswer(for: fetch.client, in: snapshot)?.withPlaceholders
        return (snapshot, answer.map { format.bytes(of: $0, within: fetch.scope) })
    }

    /// 404 `no-shortcut-set`: the client keeps the items that it has registered.
    func noMenuResponse(_ request: Request, _ app: AppID, _ fetch: FetchRequest, _ moment: CachePolicy.Moment) -> Response {
        let subject = Refusal.Subject(app: app.description)
        var response = Problem(failure: noShortcutSet(fetch), request: request.id, subject: subject).response()
        response.fields.set("Cache-Control", moment.ofAbsence)
        response.fields.set("Vary", fetch.vary)
        if let notice = fetch.notice { response.fields.set(ParameterNotice.field, notice.text) }
        return response
    }

    private func noShortcutSet(_ fetch: FetchRequest) -> Failure {
        let (version, audience) = (fetch.client.build.version, fetch.client.audience)
        return Failure(
            .noShortcutSet,
            "No set is in effect for version \(version)\([.default, .every].contains(audience) ? "" : " and the audience \(audience)"): every published set "
                + "starts at a later version. Keep the registered items.")
    }

    /// Rejects a snapshot from memory that is older than the client requires.
    func require(_ revision: Int64, from known: Int64) throws(Failure) {
        guard known < revision else { return }
        throw Failure(
            .storageUnavailable,
            "The database cannot be read at the moment, and this process does not have revision \(revision) of the app. Try again shortly, "
                + "or leave the parameter revision out.")
    }

    func snapshot(_ parameters: PathParameters, isCutOff: Bool = false) throws(Failure) -> AppSnapshot {
        guard let app = AppID(parameters["app"]), let snapshot = try snapshot(of: app, isCutOff: isCutOff) else {
            throw .unknownApp(named: parameters["app"])
        }
        return snapshot
    }

    /// - Parameter isCutOff: whether the store has just failed to answer. Then it is only asked for apps that are not in memory.
    private func snapshot(of app: AppID, isCutOff: Bool) throws(Failure) -> AppSnapshot? {
        if isCutOff, let known = try apps.lastKnown(app) { return known }
        return try apps.snapshot(of: app)
    }

    private func effectiveSnapshot(
        of app: AppID, for version: AppVersion, _ audience: Audience, isCutOff: Bool
    ) throws(Failure) -> EffectiveSnapshot? {
        if isCutOff, let known = try apps.lastKnown(app, effectiveFor: version, audience) { return known }
        return try apps.snapshot(of: app, effectiveFor: version, audience)
    }
}

extension FetchRequest {
    /// Whether the answer depends on other sets than the one in effect.
    fileprivate var needsWholeApp: Bool { if case .shortcuts = resource { false } else { true } }
}

extension FetchRequest.Format {
    func bytes(of answer: ShortcutsAnswer, within scope: WebScope?) -> [UInt8] {
        switch self {
        case .json: answer.json.encodedLine
        case .propertyList: answer.json.xmlPropertyList
        case .webManifest: WebManifest(of: answer, within: scope).json.encodedLine
        case .android: AndroidShortcuts(of: answer).json.encodedLine
        }
    }
}
