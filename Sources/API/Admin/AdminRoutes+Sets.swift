import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var setRoutes: [Route] {
        [
            route("listSets", .get, "/apps/{app}/sets", .reader, query: ["audience", "limit", "cursor"], listSets),
            route(
                "putSet", .put, "/apps/{app}/sets/{version}", .publisher,
                query: ["audience", "until", "override", "message", "dryRun", "stop"],
                putSet),
            route("getSet", .get, "/apps/{app}/sets/{version}", .reader, query: ["audience"], getSet),
            route(
                "deleteSet", .delete, "/apps/{app}/sets/{version}", .publisher, query: ["audience", "override", "message", "stop"],
                deleteSet),
            route(
                "patchItem", .patch, "/apps/{app}/sets/{version}/items/{item}", .publisher,
                query: ["audience", "until", "override", "message", "dryRun", "stop"], patchItem),
        ]
    }

    private func listSets(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let audience = try call.request.query.audience
        return try .list(try call.page(), read: { page throws(Failure) in try stores.sets(of: app, audience: audience, page) }) {
            audience, published in published.summary(for: audience)
        }
    }

    /// Publishes immediately. To publish later, use a draft.
    private func putSet(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        return try publish(call) { until throws(Failure) in
            let document = ShortcutSetDocument(try call.json(), defaultLanguage: app.defaultLanguage)
            return .publish(try document.checked(until: until, now: call.author.at))
        }
    }

    private func deleteSet(_ call: AdminCall) throws(Failure) -> Response {
        let (version, audience) = (try call.parameters.version(), try call.request.query.audience ?? .default)
        return .published(
            try publish(
                .delete, version, audience, .none(override: try call.override()), message: try call.message(),
                stopsCandidate: try call.flag("stop"), call))
    }

    /// A JSON merge patch (RFC 7396) of one item of the published set.
    private func patchItem(_ call: AdminCall) throws(Failure) -> Response {
        try publish(call) { until throws(Failure) in
            let patch = ItemPatch(try call.mergePatch(), of: try call.item())
            if let until { try requireFuture(until, beside: patch, call) }
            return .patch(patch)
        }
    }

    /// - Throws: `invalidDocument` if the time is in the past, together with the violations of the patched set.
    private func requireFuture(_ until: Timestamp, beside patch: ItemPatch, _ call: AdminCall) throws(Failure) {
        do throws(Failure) {
            try DocumentChecker.requireFuture(until: until, now: call.author.at)
        } catch let past {
            throw .invalidDocument(try violations(of: patch, call) + past.violations)
        }
    }

    private func violations(of patch: ItemPatch, _ call: AdminCall) throws(Failure) -> [Violation] {
        let change = SetChange(
            version: try call.parameters.version(), audience: try call.request.query.audience ?? .default, action: .patch(patch),
            writeCondition: call.writeCondition(), consent: .none(override: try call.override()))
        do throws(Failure) {
            _ = try stores.tryPublish(change, of: try call.app(), by: call.author)
            return []
        } catch {
            return error.code == .invalidDocument ? error.violations : []
        }
    }

    /// Publishes at once, or checks in a dry run whether that is possible.
    /// - Parameter read: reads the body. Its violations are findings of a dry run.
    func publish(
        _ call: AdminCall, _ read: (_ until: Timestamp?) throws(Failure) -> SetChange.Action
    ) throws(Failure) -> Response {
        let (version, audience) = (try call.parameters.version(), try call.request.query.audience ?? .default)
        let (until, consent) = (try call.until(), Consent.none(override: try call.override()))
        let (message, stopsCandidate) = (try call.message(), try call.flag("stop"))
        guard try !call.flag("dryRun") else {
            let app = try call.app()
            return try .findings { () throws(Failure) in
                let change = SetChange(
                    version: version, audience: audience, action: try read(until), writeCondition: call.writeCondition(), consent: consent,
                    stopsCandidate: stopsCandidate)
                return try stores.tryPublish(change, of: app, by: call.author)
            }
        }
        let receipt = try publish(
            try read(until), version, audience, consent, until: until, message: message, stopsCandidate: stopsCandidate, call)
        return .published(receipt, status: receipt.isNew ? .created : .ok)
    }

    func publish(
        _ action: SetChange.Action, _ version: AppVersion, _ audience: Audience, _ consent: Consent, until: Timestamp? = nil,
        message: RevisionMessage?, stopsCandidate: Bool = false, _ call: AdminCall
    ) throws(Failure) -> PublishReceipt {
        let app = try call.app()
        let change = SetChange(
            version: version, audience: audience, action: action, writeCondition: call.writeCondition(), consent: consent, until: until,
            message: message, stopsCandidate: stopsCandidate)
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

extension PublishedSet {
    /// The published set without its content.
    func summary(for audience: Audience) -> JSON {
        [
            "version": .string(version), "audience": .string(audience), "revision": .integer(revision),
            "publishedAt": .string(publishedAt), "by": .string(by), "rollout": candidate?.summary,
        ]
    }
}

extension ShortcutSetDocument {
    /// - Parameter until: a time at or before `now` is reported together with the violations of the document.
    func checked(until: Timestamp?, now: Timestamp) throws(Failure) -> ShortcutSet {
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
        requireFuture(until, at: .root["until"], now: now, orElse: "or leave it out for no end")
    }

    fileprivate static func requireFuture(until: Timestamp, now: Timestamp) throws(Failure) {
        let checker = DocumentChecker()
        checker.require(until: until, now: now)
        try checker.finish()
    }
}
