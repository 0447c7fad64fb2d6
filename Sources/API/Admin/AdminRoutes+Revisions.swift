import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var revisionRoutes: [Route] {
        [
            route(
                "listRevisions", .get, "/apps/{app}/revisions", .reader, query: ["version", "audience", "limit", "cursor"], listRevisions),
            route("getRevision", .get, "/apps/{app}/revisions/{revision}", .reader, getRevision),
            route("restoreRevision", .post, "/apps/{app}/revisions/{revision}/restore", .publisher, restoreRevision),
            route("diffRevisions", .get, "/apps/{app}/diff", .reader, query: ["from", "to"], diffRevisions),
        ]
    }

    private func listRevisions(_ call: AdminCall) throws(Failure) -> Response {
        let (app, query) = (try call.app(), call.request.query)
        let version: AppVersion? = try query.parsed("version")
        let audience = try query.audience
        return try .list(
            try call.page(),
            read: { page throws(Failure) in try stores.revisions(of: app, version: version, audience: audience, page) }, \.json)
    }

    private func getRevision(_ call: AdminCall) throws(Failure) -> Response {
        .json(try revision(call.parameters["revision"], call).json)
    }

    /// Publishes the revision's set again as a new revision, for its version and audience: now, or at the time in the body.
    private func restoreRevision(_ call: AdminCall) throws(Failure) -> Response {
        let options = try PublishDocument(try call.optionalJSON()).checked(now: call.author.at, mayEnd: false)
        let revision = try revision(call.parameters["revision"], call)
        let set = try revision.requireSet()
        guard let time = options.at else {
            return .published(
                try publish(
                    .publish(set), revision.version, revision.audience, .notNeeded, message: options.message, stopsCandidate: true, call))
        }
        return .scheduled(
            try stores.scheduleRestore(
                of: revision.number, at: time, expecting: call.writeCondition(), message: options.message, of: try call.app(),
                by: call.author))
    }

    private func diffRevisions(_ call: AdminCall) throws(Failure) -> Response {
        let (from, to) = (try call.requiredRevision("from"), try call.requiredRevision("to"))
        let (old, new) = (try revision("\(from)", call), try revision("\(to)", call))
        let difference = SetDifference(from: old.set, to: new.set)
        let compared: JSON = ["from": old.summary, "to": new.summary]
        return .json(compared.adding(membersOf: difference.json))
    }

    private func revision(_ text: String, _ call: AdminCall) throws(Failure) -> Revision {
        let app = try call.app()
        guard let number = Int64(text), let revision = try stores.revision(number, of: app) else {
            throw .unknownRevision(text, of: app)
        }
        return revision
    }
}

extension AdminCall {
    fileprivate func requiredRevision(_ name: String) throws(Failure) -> Int64 {
        guard let text = request.query[name] else {
            throw Failure(.invalidParameter, "\(name) is missing. Add the number of a revision, for example ?from=41&to=42.")
        }
        guard let number = Int64(text), number > 0 else {
            throw Failure(.invalidParameter, "\(name): \(quoted(text)) is not the number of a revision.")
        }
        return number
    }
}
