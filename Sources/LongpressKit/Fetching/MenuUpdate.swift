/// The result of ``LongpressClient/refresh()``.
public enum MenuUpdate: Sendable, Equatable {
    /// The menu has not changed: the service has no newer menu, or the stored answer is still fresh.
    case unchanged
    /// The service failed with this error, and the stored answer may be used on errors (`stale-if-error`, RFC 5861 section 4).
    case unchangedStale(LongpressError)
    /// The menu has changed. If it has no items, remove the registered items.
    case changed(QuickActionMenu)
    /// No menu is published for this version of the app (404 `no-shortcut-set`): keep the registered items.
    case keep
}
