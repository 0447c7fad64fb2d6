/// Advisory locks of this program. Each is released at the end of its transaction.
enum AdvisoryLock: Int {
    case migrations = 0, writers, claims

    var statement: String { "SELECT pg_advisory_xact_lock(\(0x6c70_7265), \(rawValue))" }
}
