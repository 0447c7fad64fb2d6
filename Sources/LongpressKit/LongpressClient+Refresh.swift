internal import Foundation
internal import QuickActions

extension LongpressClient {
    /// Fetches the menu and, if the menu has changed, the bundle, which says what a tap on each id means. It makes no request within the
    /// `max-age` of the last response.
    ///
    /// Call it at every launch, when a tap says ``ResolvedAction/needsRefresh``, and after ``update(audience:)``. While a request is in
    /// flight, further calls wait for its result. After a failure, the client makes no request for a time (2 s, doubling up to 5 minutes,
    /// or the response's `Retry-After`). Within the `stale-if-error` of the last response, an unreachable service or a 5xx is not an error.
    /// - Throws: why the menu could not be fetched. The client keeps the known menu.
    public func refresh() async throws(LongpressError) -> MenuUpdate {
        guard !Task.isCancelled else { throw .cancelled }
        let (results, continuation) = AsyncStream.makeStream(of: Result<MenuUpdate, LongpressError>.self)
        waiting.append(continuation)
        if refreshing == nil { refreshing = Task { await self.run() } }
        for await result in results { return try result.get() }
        // The stream ends without a result only if this task was cancelled. The request continues for the other callers.
        throw .cancelled
    }

    /// Repeats the request if the audience changed while it was in flight.
    private func run() async {
        load()
        let before = menu
        var result: Result<MenuUpdate, LongpressError>
        var asked: Installation?
        repeat {
            reload()
            asked = try? installation.get()
            result = await attempt(before)
        } while asked != (try? installation.get())
        refreshing = nil
        for continuation in waiting {
            continuation.yield(result)
            continuation.finish()
        }
        waiting = []
    }

    /// - Parameter before: the menu before the refresh, to compare the result with.
    private func attempt(_ before: QuickActionMenu?) async -> Result<MenuUpdate, LongpressError> {
        let installation: Installation
        switch self.installation {
        case .success(let sound): installation = sound
        case .failure(let error): return .failure(error)
        }
        let menu = knownMenu.flatMap { $0.answer.key == installation.menuKey ? $0 : nil }
        // A draft may change at any time, and the live menu does not replace it.
        let freshness = preview == nil ? menu?.answer.freshness : nil
        if preview == nil, let absence, absence.key == installation.menuKey, absence.freshness.isFresh(at: now) { return .success(.keep) }
        if freshness?.isFresh(at: now) ?? false { return .success(change(since: before)) }
        func failure(_ error: LongpressError) -> Result<MenuUpdate, LongpressError> {
            guard error.allowsStale, freshness?.mayBeUsedOnError(at: now) ?? false else { return .failure(error) }
            let change = change(since: before)
            return .success(change == .unchanged ? .unchangedStale(error) : change)
        }
        if let until = backoff.until, !backoff.isOver(at: environment.instant()) {
            let date = environment.now() + environment.instant().duration(to: until) / .seconds(1)
            return failure(.backingOff(until: date))
        }
        askedToWait = nil
        do throws(LongpressError) {
            if let preview, let update = try await fetchPreview(preview, for: installation, before) { return .success(update) }
            let update = try await fetch(menu, for: installation, before)
            backoff.succeed()
            return .success(update)
        } catch {
            if error == .cancelled { return .failure(error) }
            backoff.fail(at: environment.instant(), asked: askedToWait, random: environment.random())
            return failure(error)
        }
    }

    private func fetch(
        _ known: KnownMenu?, for installation: Installation, _ before: QuickActionMenu?
    ) async throws(LongpressError) -> MenuUpdate {
        let response = try await send(installation.menuRequest(configuration.server, etag: known?.answer.etag))
        guard isAsking(installation) else { throw .cancelled }
        absence = nil
        switch (response.status, known) {
        case (200, _):
            let answer = KeptAnswer(response, key: installation.menuKey, at: now)
            keep(try KnownMenu(answer, for: installation, choosingBy: installationID))
        case (304, let known?) where known.answer.etag != nil:
            let answer = known.answer.confirmed(by: response, at: now)
            keep(try KnownMenu(answer, for: installation, choosingBy: installationID))
        case _ where response.meansKeep:
            absence = (installation.menuKey, Freshness(response, at: now))
            return .keep
        default:
            askedToWait = response.retryAfter(now: now)
            throw .status(response.status)
        }
        let isAnother = knownMenu?.answer.body != known?.answer.body
        if isAnother || !hasBundle(for: installation) { await fetchBundle(for: installation) }
        guard isAsking(installation) else { throw .cancelled }
        return change(since: before)
    }

    func change(since before: QuickActionMenu?) -> MenuUpdate {
        menu.flatMap { $0 == before ? nil : .changed($0) } ?? .unchanged
    }

    /// Ignores a failure: the stored bundle stays, and the next refresh retries.
    private func fetchBundle(for installation: Installation) async {
        let known = knownBundle.flatMap { $0.answer.key == installation.bundleKey ? $0.answer : nil }
        guard let response = try? await send(installation.bundleRequest(configuration.server, etag: known?.etag)),
            isAsking(installation), response.status == 200
        else { return }
        let answer = KeptAnswer(response, key: installation.bundleKey, at: now)
        if let bundle = try? KnownBundle(answer, for: installation) { keep(bundle) }
    }

    /// Whether the stored bundle has the menu's revision.
    private func hasBundle(for installation: Installation) -> Bool {
        knownBundle?.answer.key == installation.bundleKey
            && knownBundle?.bundle.seen(by: knownMenu?.choice).subject.revision == knownMenu?.served.subject.revision
    }

    private func isAsking(_ installation: Installation) -> Bool { (try? self.installation.get()) == installation }

    /// - Throws: `unreachable`, `tooLarge`, `cancelled`.
    func send(_ request: LongpressRequest?) async throws(LongpressError) -> LongpressResponse {
        guard let request else { throw .unreachable("\(configuration.server) is not a base URL") }
        let response: LongpressResponse
        do {
            response = try await transport.send(request)
        } catch let error as LongpressError {
            throw error
        } catch {
            throw error is CancellationError || Task.isCancelled ? .cancelled : .unreachable(String(describing: error))
        }
        guard response.body.count <= request.limit else { throw .tooLarge }
        return response
    }
}

extension LongpressError {
    /// Whether RFC 5861 section 4 allows a stale answer in place of this error.
    fileprivate var allowsStale: Bool {
        switch self {
        case .unreachable, .backingOff, .status(500), .status(502), .status(503), .status(504): true
        case .notConfigured, .invalidConfiguration, .status, .tooLarge, .invalidResponse, .wrongMenu, .unsupportedSchema,
            .cancelled:
            false
        }
    }
}

extension LongpressClient {
    /// The menu to register and its audience. They are read in one step, so that they belong together.
    package var registrable: (menu: QuickActionMenu?, audience: String?) {
        let menu = menu
        return (menu, (try? installation.get())?.audience.description)
    }
}
