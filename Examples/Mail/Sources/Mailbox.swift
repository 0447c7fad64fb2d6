import Foundation

/// What a mail app knows: the names of drafts, the newest first, and recent contacts. An app that changes them calls `rearrange()` and
/// `personalDataDidChange(_:)`.
@MainActor
final class Mailbox {
    struct Contact: Codable {
        let name: String
        let address: String
    }

    var drafts: [String] { UserDefaults.standard.stringArray(forKey: "drafts") ?? [] }

    var contacts: [Contact] {
        let stored = UserDefaults.standard.data(forKey: "contacts")
        return stored.flatMap { try? JSONDecoder().decode([Contact].self, from: $0) } ?? []
    }

    nonisolated init() {}
}
