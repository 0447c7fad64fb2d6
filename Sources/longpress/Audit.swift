import ArgumentParser
import Platform
import QuickActions
import Remote

struct Audit: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the audit of a service: who changed what, when and from where.",
        discussion: """
            Prints the newest entries first; with --follow or --after, the oldest first. --follow waits for new entries until you stop it, \
            also across restarts of the service, and prints each entry once. The token must have the role owner.
            """)

    @Option(help: "Only entries of this app.")
    var app: String?
    @Option(help: "Only entries by the token with this name.")
    var token: String?
    @Option(help: "Only this action, such as set.published.")
    var action: String?
    @Option(help: "Only entries whose target has this id.")
    var target: String?
    @Option(help: "Only entries from this time on, such as 2026-11-23T08:00:00Z.")
    var from: String?
    @Option(help: "Only entries before this time.")
    var to: String?
    @Option(help: "Only entries after the entry with this id, oldest first: so that a collector can resume.")
    var after: String?
    @Flag(help: "Wait for new entries. Without --after, skip the existing ones.")
    var follow = false
    @Flag(help: "Print one JSON object per line, as in GET /admin/v1/audit.")
    var json = false
    @OptionGroup var remote: ServerOptions

    func validate() throws {
        guard !follow || to == nil else { throw ValidationError("--follow never ends. Remove --to.") }
    }

    func run() throws {
        let given = [("app", app), ("token", token), ("action", action), ("target", target), ("from", from), ("to", to)]
        let query = given.compactMap { name, value in value.map { (name: name, value: $0) } }
        try reporting {
            let service = try remote.required()
            if follow {
                return try service.followAudit(query, after: after ?? from.map { _ in "0" }) { entries throws(RemoteFailure) in
                    do { try print(entries) } catch { throw RemoteFailure("\(error)") }
                }
            }
            var cursor: String?
            repeat {
                let page = try service.audit(query + (after.map { [("after", $0)] } ?? []), from: cursor)
                try print(page.entries)
                cursor = page.next
            } while cursor != nil
        }
    }

    private func print(_ entries: [JSON]) throws {
        for entry in entries {
            if json { try Terminal.write(entry.encodedLine) } else { try Terminal.print(entry.auditLine) }
        }
    }
}

extension JSON {
    /// `2026-11-23T09:00:00.000Z set.published com.example.mail 2.0.0 revision 8, by ci from 192.0.2.7`
    fileprivate var auditLine: String {
        let audience = text("audience").flatMap { $0 == "default" ? nil : $0 }
        let revision: String? = if case .integer(let number)? = self["revision"] { "revision \(number)" } else { nil }
        let target: String? =
            if case .string(let kind)? = self["target"]?["kind"], case .string(let id)? = self["target"]?["id"],
                !["app", "release", "set", "draft"].contains(kind.string)
            {
                "\(kind.string) \(id.string)"
            } else {
                nil
            }
        let what = [text("at"), text("action"), text("app"), text("version"), audience, revision, target].compactMap { $0 }
        let who = text("token").map { ", by \($0) from \(text("address") ?? "?")" } ?? ", by the service"
        return what.joined(separator: " ") + who
    }
}
