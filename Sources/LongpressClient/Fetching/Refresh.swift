/// What came of a refresh.
public enum Refresh: Sendable, Equatable {
    /// What is known stands: the service has nothing else, what is kept is still fresh, or it cannot be had and what is kept may be
    /// used meanwhile (`stale-if-error`, RFC 5861).
    case unchanged
    /// There is another menu. No items means: clear the menu.
    case changed(QuickActionMenu)
    /// No set is in effect for this version (404 `no-shortcut-set`): keep what is registered.
    case keep
}

/// Why a refresh did not come about. What was known stays.
public enum LongpressError: Error, Sendable, Hashable {
    /// The service cannot be reached. What the transport said, for the log.
    case unreachable(String)
    /// An answer with a status that is none of the protocol's.
    case status(Int)
    /// The answer is longer than 1 MiB, a bundle than 16 MiB.
    case tooLarge
    /// The answer is no JSON, such as the page of a captive portal.
    case notJSON
    /// An answer about another app, version or audience, or none of the service at all; or a configuration that nothing can be asked
    /// with. Which, for the log.
    case foreign(String)
    /// An answer of a later schema, which it names. This client reads 1.
    case schema(Int64)
    /// The last attempt failed a short while ago.
    case backingOff
    /// The task was cancelled.
    case cancelled
}
