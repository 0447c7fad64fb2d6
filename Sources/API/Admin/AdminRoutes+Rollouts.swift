import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var rolloutRoutes: [Route] {
        let candidate = "/apps/{app}/sets/{version}/candidate"
        return [
            route(
                "putCandidate", .put, candidate, .publisher, query: ["audience", "share", "override", "message", "dryRun", "stop"],
                putCandidate),
            route("getCandidate", .get, candidate, .reader, query: ["audience"], getCandidate),
            route("getRolloutResult", .get, candidate + "/result", .reader, query: ["audience", "revision"], getResult),
            route("patchCandidate", .patch, candidate, .publisher, query: ["audience"], patchCandidate),
            route("promoteCandidate", .post, candidate + "/promote", .publisher, query: ["audience"], promoteCandidate),
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
                RolloutSettings(share: share))
        }
    }

    private func getCandidate(_ call: AdminCall) throws(Failure) -> Response {
        .json(try stores.rollout(of: try call.place(), in: try call.app()).json)
    }

    private func getResult(_ call: AdminCall) throws(Failure) -> Response {
        let revision = try call.request.query.revision
        return .json(
            try stores.rolloutResult(of: try call.place(), startedBy: revision == 0 ? nil : revision, in: try call.app()).json)
    }

    private func patchCandidate(_ call: AdminCall) throws(Failure) -> Response {
        let patch = CandidatePatch(try call.mergePatch())
        return .json(
            try stores.changeRollout(
                of: try call.place(), in: try call.app(), patch, expecting: call.writeCondition(), by: call.author
            ).json)
    }

    private func promoteCandidate(_ call: AdminCall) throws(Failure) -> Response {
        try endRollout(call, .promote) { place, message throws(Failure) in
            .published(try publish(.promote, place.version, place.audience, .none(override: nil), message: message, call))
        }
    }

    private func stopCandidate(_ call: AdminCall) throws(Failure) -> Response {
        try endRollout(call, .stop) { place, message throws(Failure) in
            .json(
                try stores.stopRollout(
                    of: place, in: try call.app(), expecting: call.writeCondition(), message: message, by: call.author
                ).json)
        }
    }

    /// Ends the roll-out now, or at the time in the body.
    private func endRollout(
        _ call: AdminCall, _ kind: ScheduleEntry.Kind, now end: (SetName, RevisionMessage?) throws(Failure) -> Response
    ) throws(Failure) -> Response {
        let options = try PublishDocument(try call.optionalJSON()).checked(now: call.author.at, mayEnd: false)
        let place = try call.place()
        guard let time = options.at else { return try end(place, options.message) }
        return .scheduled(
            try stores.scheduleRolloutEnd(
                of: place, in: try call.app(), kind, at: time, expecting: call.writeCondition(), message: options.message,
                by: call.author))
    }
}

extension AdminCall {
    fileprivate func place() throws(Failure) -> SetName {
        SetName(version: try parameters.version(), audience: try request.query.audience ?? .default)
    }
}
