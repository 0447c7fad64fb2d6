import QuickActions

extension RemoteService {
    /// Everything except secrets, as one document.
    /// - Parameters:
    ///   - apps: the apps to export; empty for all.
    ///   - withoutHistory: only what is live, drafts, the schedule and the revision counters.
    package func export(_ apps: [AppID] = [], withoutHistory: Bool = false) throws(RemoteFailure) -> [UInt8] {
        let query = apps.map { ("app", $0.description) } + (withoutHistory ? [("history", "none")] : [])
        let document = try progress.showing("Reading \(address) …") { () throws(RemoteFailure) in
            try bytes(Call(path: "/export", query: query))
        }
        guard let json = try? JSONReader.read(document), json["apps"] != nil else {
            throw notLongpress("answered /export, but the answer is not an export")
        }
        return document
    }

    /// Imports the apps of an export into the service's store: all of them or none.
    /// - Returns: a line for each app.
    package func importArchive(_ document: [UInt8], replacing: Bool, dryRun: Bool, override: String?) throws(RemoteFailure) -> [String] {
        var query = [("dryRun", "\(dryRun)")]
        if replacing { query.append(("replace", "true")) }
        if let override { query.append(("override", override)) }
        let answer = try progress.showing("Sending \(document.count >> 10) KiB to \(address) …") { () throws(RemoteFailure) in
            try json(Call(method: "POST", path: "/import", query: query, body: document))
        }
        guard case .array(let apps)? = answer["apps"] else { throw notLongpress("answered an import, but the answer lists no apps") }
        return apps.map(\.importedLine) + answer.elements("replaced").map(\.replacedLine)
    }
}

extension JSON {
    fileprivate var importedLine: String {
        "\(text("app") ?? "")  \(counted("sets", "set")), \(counted("drafts", "draft")), \(counted("releases", "release")), "
            + "last revision \(integer("lastRevision") ?? 0)"
    }

    fileprivate var replacedLine: String {
        "\(text("app") ?? "")  replaced: \(integer("published") ?? 0) sets published, \(integer("deleted") ?? 0) deleted, "
            + "last revision \(integer("lastRevision") ?? 0)"
    }

    private func counted(_ member: Text, _ noun: String) -> String {
        Remote.counted(Int(clamping: integer(member) ?? 0), noun)
    }
}

/// `1 set`, `2 sets`
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
