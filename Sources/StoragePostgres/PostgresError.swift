import Shortcuts
import Storage

/// An error on a connection: an error of the server with its SQLSTATE, or the loss of the connection.
///
/// Source: PostgreSQL's appendix "PostgreSQL Error Codes". The text is for the log only.
struct PostgresError: Error {
    /// Five characters; nil if the connection was lost or the server did not answer in time.
    let state: String?
    let message: String

    static func lost(_ message: String) -> PostgresError {
        PostgresError(state: nil, message: message)
    }

    /// The first two characters of the SQLSTATE.
    private var errorClass: Substring { (state ?? "").prefix(2) }

    /// A lock was not granted within `lock_timeout` (55P03, lock_not_available).
    var isLockTimeout: Bool { state == "55P03" }

    /// Whether the connection is unusable: it was lost, ended by the server, or the server is read-only. A read-only server answers 25006
    /// to a statement; a standby answers 0A000 to BEGIN READ WRITE. 0A000 also means a prepared statement whose result type a migration
    /// changed.
    var endsConnection: Bool {
        guard let state else { return true }
        return errorClass == "08" || ["57P01", "57P02", "57P03", "57P05", "25P03", "25P04", "25006", "0A000"].contains(state)
    }

    /// Whether the transaction had no effect and may be repeated from its beginning.
    var allowsRepetition: Bool {
        guard let state else { return true }
        return endsConnection || ["40001", "40P01", "55P03", "53300"].contains(state)
    }

    /// Whether the cause is the server or the network, not the statement.
    private var meansUnavailable: Bool {
        allowsRepetition || ["53", "58"].contains(errorClass) || state == "57014"
    }

    var failure: Failure {
        let cause = "PostgreSQL \(state ?? "connection"): \(message)"
        return meansUnavailable ? .storageUnavailable(cause: cause) : .storageFailed(cause: cause)
    }
}
