/// The result of a refresh.
public enum Refresh: Sendable, Equatable {
    /// The menu has not changed: the service has no newer menu, the stored answer is still fresh, or the service cannot be reached and the
    /// stored answer may be used on errors (`stale-if-error`, RFC 5861).
    case unchanged
    /// The menu has changed. If it has no items, remove the registered items.
    case changed(QuickActionMenu)
    /// No menu is published for this version of the app (404 `no-shortcut-set`): keep the registered items.
    case keep
}

/// Why a refresh failed. The client keeps the known menu.
public enum LongpressError: Error, Sendable, Hashable {
    /// There was no response. The text is the transport's error, for a log.
    case unreachable(String)
    /// The response has this unexpected status.
    case status(Int)
    /// The response is longer than 1 MiB, or 16 MiB for the bundle.
    case tooLarge
    /// The response is not JSON. It may be the page of a captive portal.
    case notJSON
    /// The response is for another app, version or audience, or does not come from Longpress; or the configuration is invalid. The text
    /// says which, for a log.
    case foreign(String)
    /// The response has this schema. This version of the library reads schema 1 only.
    case schema(Int64)
    /// The client made no request, because the last one failed a short time ago.
    case backingOff
    /// The calling task was cancelled.
    case cancelled
}
