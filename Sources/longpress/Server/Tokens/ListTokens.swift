import ArgumentParser
import Files
import QuickActions
import Service
import Shortcuts
import Storage

struct ListTokens: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tokens: id, role, apps, expiry, last use, name, and the owner if it differs.")

    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let store = try options.name().openExistingStore()
            let now = SystemClock().now()
            var cursor: String?
            repeat {
                let page = try store.tokens(PageRequest(limit: 200, cursor: cursor), within: .all)
                for token in page.items { try Terminal.print(token.line(at: now)) }
                cursor = page.next
            } while cursor != nil
        }
    }
}

extension Token {
    fileprivate func line(at now: Timestamp) -> String {
        let apps =
            switch scope {
            case .all: "all apps"
            case .apps(let apps): apps.sorted().map(\.description).joined(separator: ",")
            }
        let expiry = expiresAt.map { "\($0 <= now ? "expired" : "expires") \($0.shortText)" } ?? "no expiry"
        let use = lastUse.map { "used \($0.hour.shortText) from \($0.address)" } ?? "never used"
        return "\(id)  \(role.rawValue)  \(apps)  \(expiry)  \(use)  \(name)\(owner.description == name ? "" : "  \(owner)")"
    }
}
