import QuickActions
import Shortcuts

/// What a commit may have changed for somebody who does not read the store each time.
package enum Change: Sendable {
    /// What is answered about the app may be another.
    case app(AppID)
    /// These endpoints are other ones now, disabled or gone: what was claimed for them before is out of date.
    case endpoints(Set<EndpointID>)
    /// There are deliveries that may be due.
    case deliveries
    /// A draft has a time, or another one.
    case schedule
    /// Something that the operator is told.
    case notice(CommitNotice)
    /// Anything: another process has written to the file.
    case everything
}
