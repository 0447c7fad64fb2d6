/// One step of `migrations/`, built into the program. A released step is never edited.
struct Migration: Sendable {
    let version: Int64
    let name: String
    let sql: [UInt8]

    static let all = [
        Migration(version: 1, name: "init", sql: PackageResources._001_init_sql),
        Migration(version: 2, name: "drafts", sql: PackageResources._002_drafts_sql),
        Migration(version: 3, name: "resend", sql: PackageResources._003_resend_sql),
        Migration(version: 4, name: "tap_counts", sql: PackageResources._004_tap_counts_sql),
        Migration(version: 5, name: "token_expiry", sql: PackageResources._005_token_expiry_sql),
    ]
}
