import QuickActions
import Testing

@testable import Shortcuts

@Suite struct AppQuotaTests {
    private func use(_ change: (inout AppQuota.Use) -> Void) -> AppQuota.Use {
        var use = AppQuota.Use()
        change(&use)
        return use
    }

    @Test(
        arguments: [
            (\.releases, 200, "201 releases", "--max-releases"), (\.sets, 5000, "5001 sets", "--max-sets"),
            (\.drafts, 5000, "5001 drafts", "--max-sets"), (\.scheduled, 5000, "entries of the schedule", "--max-sets"),
            (\.bytes, 64 << 20, "67108865 bytes of releases and sets", "--max-app-size"),
            (\.preparedBytes, 64 << 20, "bytes of drafts", "--max-app-size"),
        ] as [(WritableKeyPath<AppQuota.Use, Int> & Sendable, Int, String, String)])
    func `a write that adds beyond a limit is refused with the number and the way out`(
        part: WritableKeyPath<AppQuota.Use, Int> & Sendable, limit: Int, number: String, setting: String
    ) throws {
        let app = try #require(AppID("com.example.notes"))
        let full = use { $0[keyPath: part] = limit }
        let over = use { $0[keyPath: part] = limit + 1 }
        #expect(failure { try AppQuota().require(full, after: AppQuota.Use(), of: app) } == nil)
        let refused = try #require(failure { try AppQuota().require(over, after: full, of: app) })
        #expect(refused.code == .quotaExceeded)
        #expect(refused.detail.contains(number) && refused.detail.contains(setting), "\(refused.detail)")
        // An app above the limit can still be changed if nothing is added.
        #expect(failure { try AppQuota().require(over, after: over, of: app) } == nil)
        #expect(failure { try AppQuota().require(over, after: use { $0[keyPath: part] = limit + 9 }, of: app) } == nil)
        #expect(failure { try AppQuota.none.require(over, after: full, of: app) } == nil)
    }
}
