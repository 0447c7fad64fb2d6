import QuickActions
import Shortcuts

/// A possible effect of a commit, for observers that cache or wait.
package enum Change: Sendable {
    /// Answers about the app may have changed.
    case app(AppID)
    /// These endpoints were changed, disabled or deleted. Deliveries that were claimed for them earlier are stale.
    case endpoints(Set<EndpointID>)
    /// Deliveries may be due.
    case deliveries
    /// The schedule has new entries.
    case schedule
    /// The journal of the stream has new rows, up to the one with this tag.
    case stream(tag: String)
    /// A token was revoked or a session ended.
    case credentials
    /// A notice to log and to count.
    case notice(CommitNotice)
    /// Anything may have changed: another process committed.
    case everything

    var isEverything: Bool { if case .everything = self { true } else { false } }
}

/// The record of a commit for other nodes: `{"apps":["com.example.notes"],"stream":"3fa9c04b","endpoints":["ep_1"],"deliveries":true,
/// "schedule":true,"credentials":true}`, without empty members; or `{"everything":true}`. Notices are not recorded: only the node that
/// wrote them logs them.
extension [Change] {
    /// Nil if other nodes need not know of the changes.
    var record: String? {
        var (apps, endpoints): ([JSON], [JSON]) = ([], [])
        var flags: [JSON.Member] = []
        var stream: String?
        for change in self {
            switch change {
            case .app(let app): apps.append(.string(app))
            case .endpoints(let changed): endpoints += changed.sorted().map { .string($0) }
            case .deliveries: flags.append(JSON.Member("deliveries", true))
            case .schedule: flags.append(JSON.Member("schedule", true))
            case .credentials: flags.append(JSON.Member("credentials", true))
            case .everything: flags.append(JSON.Member("everything", true))
            case .stream(let tag): stream = tag
            case .notice: break
            }
        }
        var members: [JSON.Member] = []
        if !apps.isEmpty { members.append(JSON.Member("apps", .array(apps))) }
        if let stream { members.append(JSON.Member("stream", .string(stream))) }
        if !endpoints.isEmpty { members.append(JSON.Member("endpoints", .array(endpoints))) }
        members += flags
        return members.isEmpty ? nil : String(decoding: JSON.object(members).encoded, as: UTF8.self)
    }

    /// The commits of other processes. A record that this program does not understand counts as `everything`.
    init(_ commits: ExternalCommits) {
        switch commits {
        case .unknown: self = [.everything]
        case .recorded(let records):
            self = []
            for record in records {
                guard let changes = [Change](record: record) else {
                    self = [.everything]
                    return
                }
                self += changes
            }
        }
    }

    /// Nil if the text has a member or a value that this program does not know.
    init?(record: String) {
        guard let json = try? JSON(document: [UInt8](record.utf8)), case .object(let members) = json, !members.isEmpty else { return nil }
        self = []
        for member in members {
            switch (member.name.string, member.value) {
            case ("apps", .array(let names)):
                for name in names {
                    guard case .string(let text) = name, let app = AppID(text.string) else { return nil }
                    append(.app(app))
                }
            case ("stream", .string(let tag)): append(.stream(tag: tag.string))
            case ("endpoints", .array(let names)):
                var endpoints: Set<EndpointID> = []
                for name in names {
                    guard case .string(let text) = name else { return nil }
                    endpoints.insert(EndpointID(text.string))
                }
                append(.endpoints(endpoints))
            case ("deliveries", .boolean(true)): append(.deliveries)
            case ("schedule", .boolean(true)): append(.schedule)
            case ("credentials", .boolean(true)): append(.credentials)
            case ("everything", .boolean(true)): append(.everything)
            default: return nil
            }
        }
    }
}
