/// The result of a refresh.
public enum Refresh: Sendable, Equatable {
    /// The menu is the same as before: the service has no other, the stored answer is still fresh, or the service cannot be reached and
    /// the stored answer may be used in that case (`stale-if-error`, RFC 5861).
    case unchanged
    /// The menu is different from before. One without items means that the registered items should be removed.
    case changed(QuickActionMenu)
    /// No menu is published for this version of the app (404 `no-shortcut-set`): leave registered items as they are.
    case keep
}

/// Why a refresh failed. The menu that was known before is kept.
public enum LongpressError: Error, Sendable, Hashable {
    /// There was no response. The text is the transport's error, for a log.
    case unreachable(String)
    /// The response has this status, which the client does not expect.
    case status(Int)
    /// The response is longer than 1 MiB, or 16 MiB for the bundle.
    case tooLarge
    /// The response is not JSON; it may be the page of a captive portal.
    case notJSON
    /// The response is for another app, version or audience, or does not come from Longpress; or the configuration is invalid. The text
    /// says which, for a log.
    case foreign(String)
    /// The response has this schema, which this version of the library cannot read. It reads schema 1.
    case schema(Int64)
    /// No request was made, because the last one failed a short while ago.
    case backingOff
    /// The calling task was cancelled.
    case cancelled
}
