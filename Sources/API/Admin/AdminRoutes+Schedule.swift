import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var scheduleRoutes: [Route] {
        let entry = "/apps/{app}/schedule/{id}"
        return [
            route("listSchedule", .get, "/apps/{app}/schedule", .reader, query: ["limit", "cursor"], listSchedule),
            route("getScheduleEntry", .get, entry, .reader, getScheduleEntry),
            route("cancelScheduleEntry", .delete, entry, .publisher, cancelScheduleEntry),
        ]
    }

    /// Lists the entries by time.
    private func listSchedule(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        return try .list(try call.page(), read: { page throws(Failure) in try stores.schedule(of: app, page) }, \.json)
    }

    /// `Longpress-Base`, as for a draft, is the revision that the scheduled set was made from.
    private func getScheduleEntry(_ call: AdminCall) throws(Failure) -> Response {
        let (app, id) = (try call.app(), ScheduleID(call.parameters["id"]))
        guard let entry = try stores.scheduleEntry(id, of: app) else { throw .unknownScheduleEntry(id, of: app) }
        guard case .publish(let draft, _) = entry.action, let base = draft.base else { return .json(entry.json) }
        return .json(entry.json, fields: ["Longpress-Base": "\(base)"])
    }

    private func cancelScheduleEntry(_ call: AdminCall) throws(Failure) -> Response {
        try stores.cancel(ScheduleID(call.parameters["id"]), of: try call.app(), by: call.author)
        return .noContent
    }
}
