import Shortcuts

/// What an engine's errors become: by their codes, never by their text.
extension Failure {
    /// The medium, the connection or its use by others is at fault, not the statement: the same call may succeed later.
    package static func storageUnavailable(cause: String) -> Failure {
        Failure(
            .storageUnavailable, "The store cannot be used at the moment and nothing was written. Try again shortly.", cause: cause)
    }

    /// A statement is at fault.
    package static func storageFailed(cause: String) -> Failure {
        Failure(.internalError, "The store failed; its operator finds more in the log.", cause: cause)
    }

    /// What is stored is not what was written.
    package static func corrupt(_ cause: String) -> Failure {
        Failure(
            .internalError, "The store holds something that it should not; its operator finds more in the log.",
            cause: cause)
    }
}
