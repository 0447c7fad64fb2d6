import Shortcuts

/// The failures to which the engines map their errors, by error code and never by message text.
extension Failure {
    /// The cause is the disk, the connection or a lock, not the statement. The same call may succeed later.
    package static func storageUnavailable(cause: String) -> Failure {
        .storageUnavailable("The database cannot be used at the moment. Nothing was written. Try again shortly.", cause: cause)
    }

    /// The commit may be there, or may appear after a crash.
    package static func commitUnconfirmed(cause: String) -> Failure {
        .storageUnavailable(
            "The database did not confirm whether the change was written. Read the resource before you repeat the change. If the change "
                + "was written, a repetition with If-Match gets 412.", cause: cause)
    }

    /// - Parameter detail: the text for the caller.
    package static func storageUnavailable(_ detail: String, cause: String) -> Failure {
        Failure(.storageUnavailable, detail, cause: cause)
    }

    /// The cause is the statement.
    package static func storageFailed(cause: String) -> Failure {
        Failure(.internalError, "The database failed. The log has the cause.", cause: cause)
    }
}
