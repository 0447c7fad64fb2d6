import QuickActions
import Shortcuts

/// A possible effect of a commit, for observers that cache or wait.
package enum Change: Sendable {
    /// Answers about the app may have changed.
    case app(AppID)
    /// These endpoints were changed, disabled or deleted. Deliveries that were claimed for them earlier are stale.
    case endpoints(Set<EndpointID>)
    /// Deliveries may be due.
    case deliveries
    /// The schedule has new entries.
    case schedule
    /// The journal of the stream has new rows, up to the one with this tag.
    case stream(tag: String)
    /// A token was revoked or a session ended.
    case credentials
    /// A notice to log and to count.
    case notice(CommitNotice)
    /// Anything may have changed: another process committed.
    case everything

    var isEverything: Bool { if case .everything = self { true } else { false } }
}
