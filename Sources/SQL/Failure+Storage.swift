import Shortcuts

/// The failures that the engines map their errors to, by error code and never by message text.
extension Failure {
    /// The disk, the connection or a lock is at fault, not the statement: the same call may succeed later.
    package static func storageUnavailable(cause: String) -> Failure {
        .storageUnavailable("The database cannot be used at the moment. Nothing was written. Try again shortly.", cause: cause)
    }

    /// - Parameter detail: what the caller is told.
    package static func storageUnavailable(_ detail: String, cause: String) -> Failure {
        Failure(.storageUnavailable, detail, cause: cause)
    }

    /// A statement is at fault.
    package static func storageFailed(cause: String) -> Failure {
        Failure(.internalError, "The database failed. The log has the cause.", cause: cause)
    }
}
