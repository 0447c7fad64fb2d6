import SQL
import Shortcuts

/// What went wrong on a connection: an error of the server, with its SQLSTATE, or the loss of the connection.
///
/// Source: PostgreSQL's appendix "PostgreSQL Error Codes". The text is for the log only.
struct PostgresError: Error {
    /// Five characters; nil where the connection was lost, or its server did not answer in time.
    let state: String?
    let message: String

    static func lost(_ message: String) -> PostgresError {
        PostgresError(state: nil, message: message)
    }

    /// The first two characters of the SQLSTATE.
    private var errorClass: Substring { (state ?? "").prefix(2) }

    /// A lock was waited for until `lock_timeout` (55P03, lock_not_available).
    var isLockTimeout: Bool { state == "55P03" }

    /// The connection is of no more use: it was lost, ended by the server, or its server takes no writes: 25006 is what a statement says,
    /// 0A000 what BEGIN READ WRITE says of a standby. 0A000 is also a prepared statement whose result a migration has changed.
    var endsConnection: Bool {
        guard let state else { return true }
        return errorClass == "08" || ["57P01", "57P02", "57P03", "57P05", "25P03", "25P04", "25006", "0A000"].contains(state)
    }

    /// The transaction had no effect and may be run again from its beginning.
    var allowsRepetition: Bool {
        guard let state else { return true }
        return endsConnection || ["40001", "40P01", "55P03", "53300"].contains(state)
    }

    /// The server or the way to it is at fault, not the statement.
    private var meansUnavailable: Bool {
        allowsRepetition || ["53", "58"].contains(errorClass) || state == "57014"
    }

    var failure: Failure {
        let cause = "PostgreSQL \(state ?? "connection"): \(message)"
        return meansUnavailable ? .storageUnavailable(cause: cause) : .storageFailed(cause: cause)
    }
}
