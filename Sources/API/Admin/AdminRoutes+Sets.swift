import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var setRoutes: [Route] {
        [
            route("listSets", .get, "/apps/{app}/sets", .reader, query: ["audience", "limit", "cursor"], listSets),
            route("putSet", .put, "/apps/{app}/sets/{version}", .publisher, query: ["audience", "until", "override"], putSet),
            route("getSet", .get, "/apps/{app}/sets/{version}", .reader, query: ["audience"], getSet),
            route("deleteSet", .delete, "/apps/{app}/sets/{version}", .publisher, query: ["audience", "override"], deleteSet),
            route(
                "patchItem", .patch, "/apps/{app}/sets/{version}/items/{item}", .publisher, query: ["audience", "until", "override"],
                patchItem),
        ]
    }

    private func listSets(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let audience = try call.request.query.audience
        return .list(try stores.sets(of: app, audience: audience, try call.page())) { audience, published in
            [
                "version": .string(published.version), "audience": .string(audience), "revision": .integer(published.revision),
                "publishedAt": .string(published.publishedAt), "by": .string(published.by),
            ]
        }
    }

    /// Publishes immediately; a draft is the way to publish later.
    private func putSet(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        let (version, audience) = (try call.parameters.version(), try call.request.query.audience ?? .default)
        let (until, override) = (try call.until(), try call.override())
        let document = ShortcutSetDocument(try call.json(), defaultLanguage: app.defaultLanguage)
        let set = try document.checked(until: until, now: call.author.at)
        let receipt = try publish(.publish(set), version, audience, .none(override: override), until: until, call)
        return .published(receipt, status: receipt.isNew ? .created : .ok)
    }

    private func deleteSet(_ call: AdminCall) throws(Failure) -> Response {
        let (version, audience) = (try call.parameters.version(), try call.request.query.audience ?? .default)
        return .published(try publish(.delete, version, audience, .none(override: try call.override()), call))
    }

    /// A JSON merge patch (RFC 7396) of one item of the published set.
    private func patchItem(_ call: AdminCall) throws(Failure) -> Response {
        let (version, audience) = (try call.parameters.version(), try call.request.query.audience ?? .default)
        let (until, override) = (try call.until(), try call.override())
        let patch = try call.mergePatch()
        let text = call.parameters["item"]
        guard let item = ItemID(text) else { throw Failure(.unknownResource, "The set has no item \(quoted(text)).") }
        if let until { try DocumentChecker.requireFuture(until: until, now: call.author.at) }
        let action = SetChange.Action.patch(ItemPatch(patch, of: item))
        return .published(try publish(action, version, audience, .none(override: override), until: until, call))
    }

    func publish(
        _ action: SetChange.Action, _ version: AppVersion, _ audience: Audience, _ consent: Consent, until: Timestamp? = nil,
        _ call: AdminCall
    ) throws(Failure) -> PublishReceipt {
        let app = try call.app()
        let change = SetChange(
            version: version, audience: audience, action: action, writeCondition: call.writeCondition(), consent: consent, until: until)
        return try stores.publish(change, of: app, by: call.author)
    }

    /// The document as `PUT` accepts it; `ETag` has its revision.
    private func getSet(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let (version, audience) = (try call.parameters.version(), try call.request.query.audience ?? .default)
        guard let published = try stores.set(version, audience, of: app) else {
            let timeline = try stores.snapshot(of: app)?.ownTimeline(of: audience)
            throw .unknownSet(version, audience, inEffect: timeline?.effectiveSet(for: version)?.version)
        }
        return call.answer(published.set.json, tag: String(published.revision))
    }
}

extension ShortcutSetDocument {
    /// - Parameter until: a time at or before `now` is a violation beside those of the document.
    fileprivate func checked(until: Timestamp?, now: Timestamp) throws(Failure) -> ShortcutSet {
        let checker = DocumentChecker()
        let set = read(checker, at: .root)
        if let until { checker.require(until: until, now: now) }
        try checker.finish()
        guard let set else { throw .invalidDocument([]) }
        return set
    }
}

extension DocumentChecker {
    /// The query parameter `until`.
    fileprivate func require(until: Timestamp, now: Timestamp) {
        requireFuture(until, at: .root["until"], now: now, orElse: "or none to let it stand")
    }

    fileprivate static func requireFuture(until: Timestamp, now: Timestamp) throws(Failure) {
        let checker = DocumentChecker()
        checker.require(until: until, now: now)
        try checker.finish()
    }
}
