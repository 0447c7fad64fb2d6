import QuickActions
import Shortcuts

/// What a commit may have changed, for observers that cache or wait.
package enum Change: Sendable {
    /// Answers about the app may have changed.
    case app(AppID)
    /// These endpoints were changed, disabled or deleted: deliveries claimed for them before are stale.
    case endpoints(Set<EndpointID>)
    /// Deliveries may be due.
    case deliveries
    /// The schedule has more entries.
    case schedule
    /// The journal of the stream has new rows, up to the one with this tag.
    case stream(tag: String)
    /// A token was revoked or a session has ended.
    case credentials
    /// Something to log and to count.
    case notice(CommitNotice)
    /// Anything may have changed: another process has committed.
    case everything

    var isEverything: Bool { if case .everything = self { true } else { false } }
}
