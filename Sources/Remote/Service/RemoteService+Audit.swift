import Foundation
import QuickActions

/// The parameters of `GET /admin/v1/audit` beside `limit`, `cursor` and `after`: names and values.
package typealias AuditQuery = [(name: String, value: String)]

extension RemoteService {
    /// A page of the audit, newest first.
    /// - Parameter cursor: `next` of the previous page.
    package func audit(_ query: AuditQuery, from cursor: String?) throws(RemoteFailure) -> (entries: [JSON], next: String?) {
        try auditPage(query + (cursor.map { [("cursor", $0)] } ?? []))
    }

    /// Passes every entry after the given id to `print`, oldest first and each once, for as long as the process lives. After an
    /// interruption it continues where it stopped.
    /// - Parameters:
    ///   - id: nil begins with the next entry.
    ///   - pausing: waits for the given number of milliseconds.
    package func followAudit(
        _ query: AuditQuery, after id: String?, pausing: (Int) -> Void = { usleep(UInt32(clamping: $0) &* 1000) },
        print: ([JSON]) throws(RemoteFailure) -> Void
    ) throws(RemoteFailure) {
        var last = id ?? "0"
        if id == nil, let newest = try auditPage([("limit", "1")]).entries.first?.text("id") { last = newest }
        var hasAnswered = id == nil
        while true {
            var entries: [JSON] = []
            do throws(RemoteFailure) {
                entries = try auditPage(query + [("after", last)]).entries
                hasAnswered = true
            } catch {
                // The service restarts, or a proxy in front of it does.
                let isPassing = error.refusal.map { $0.status >= 500 || $0.status == 429 } ?? error.isOfConnection
                guard hasAnswered, isPassing else { throw error }
            }
            guard let end = entries.last?.text("id") else {
                pausing(1000)
                continue
            }
            try print(entries)
            last = end
        }
    }

    private func auditPage(_ query: AuditQuery) throws(RemoteFailure) -> (entries: [JSON], next: String?) {
        let limited = query.contains { $0.name == "limit" } ? query : query + [("limit", "200")]
        let page = try json(Call(path: "/audit", query: limited.map { ($0.name, $0.value) }))
        guard case .array(let entries)? = page["items"] else { throw notLongpress("answered /audit without a list") }
        return (entries, page.text("next"))
    }
}
