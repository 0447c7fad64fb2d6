import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var rolloutRoutes: [Route] {
        let candidate = "/apps/{app}/sets/{version}/candidate"
        return [
            route(
                "putCandidate", .put, candidate, .publisher, query: ["audience", "share", "override", "message", "dryRun"], putCandidate),
            route("getCandidate", .get, candidate, .reader, query: ["audience"], getCandidate),
            route("patchCandidate", .patch, candidate, .publisher, query: ["audience"], patchCandidate),
            route("promoteCandidate", .post, candidate + "/promote", .publisher, query: ["audience", "message"], promoteCandidate),
            route("stopCandidate", .post, candidate + "/stop", .publisher, query: ["audience"], stopCandidate),
        ]
    }

    /// Starts a roll-out of the document.
    private func putCandidate(_ call: AdminCall) throws(Failure) -> Response {
        guard let share: RolloutShare = try call.request.query.parsed("share") else {
            throw Failure(.invalidParameter, "share is missing. Add the percentage of the installations, for example ?share=10.")
        }
        let app = try app(call)
        return try publish(call) { _ throws(Failure) in
            .rollOut(
                try ShortcutSetDocument(try call.json(), defaultLanguage: app.defaultLanguage).checked(until: nil, now: call.author.at),
                share)
        }
    }

    private func getCandidate(_ call: AdminCall) throws(Failure) -> Response {
        let (app, place) = (try call.app(), try call.place())
        guard let snapshot = try stores.snapshot(of: app) else { throw .unknownApp(app) }
        let set = try snapshot.ownTimeline(of: place.audience).requireSet(startingAt: place.version)
        return .json(try set.requireCandidate(for: place.audience).json)
    }

    private func patchCandidate(_ call: AdminCall) throws(Failure) -> Response {
        let share = try CandidateDocument(try call.mergePatch()).share()
        return .json(try stores.setShare(share, of: try call.place(), in: try call.app(), by: call.author).json)
    }

    private func promoteCandidate(_ call: AdminCall) throws(Failure) -> Response {
        try call.requireNoDocument()
        let place = try call.place()
        return .published(
            try publish(.promote, place.version, place.audience, .none(override: nil), message: try call.message(), call))
    }

    private func stopCandidate(_ call: AdminCall) throws(Failure) -> Response {
        try call.requireNoDocument()
        return .json(try stores.stopRollout(of: try call.place(), in: try call.app(), by: call.author).json)
    }
}

extension AdminCall {
    fileprivate func place() throws(Failure) -> SetName {
        SetName(version: try parameters.version(), audience: try request.query.audience ?? .default)
    }
}
