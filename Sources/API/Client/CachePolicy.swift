import QuickActions
import Shortcuts

/// The `Cache-Control` of the client plane's answers (RFC 9111, RFC 5861).
package struct CachePolicy: Sendable {
    /// Seconds for which an answer is fresh.
    package let maxAge: Int

    package init(maxAge: Int = 60) {
        self.maxAge = maxAge
    }

    /// How long a cache may serve a stale answer while it revalidates, in seconds.
    private static let staleWhileRevalidate = 86400
    /// How late the service's timers may be, in seconds.
    private static let margin = 5

    /// How long before a scheduled publish the app's cached answers must be dropped. From the longer window on, `stale-while-revalidate` is
    /// left out. From the shorter window on, `max-age` is shortened. Each window includes a margin for late timers.
    package var windowsBeforePublish: [Duration] {
        [.seconds(maxAge + Self.margin), .seconds(maxAge + Self.staleWhileRevalidate + Self.margin)]
    }

    /// The policy for an answer that is rendered now.
    /// - Parameters:
    ///   - nextPublish: the time of the app's next scheduled publish.
    ///   - mayBeOutdated: whether the answer is rendered from a stale snapshot, because the store cannot be read.
    func at(_ now: Timestamp, nextPublish: Timestamp?, mayBeOutdated: Bool = false) -> Moment {
        let left = nextPublish.map { $0 - now } ?? .seconds(Int64.max)
        let reach = Duration.seconds(maxAge + Self.staleWhileRevalidate)
        let isBeforeWindow = windowsBeforePublish.allSatisfy { left > $0 }
        return Moment(
            maxAge: Int(min(Int64(maxAge), max(0, left.components.seconds))), mayBeServedStale: left > reach,
            // Answers with `stale-while-revalidate` are not cached within the margin before the window, and no answer is cached in the
            // shorter window.
            mayBeKept: !mayBeOutdated && (isBeforeWindow || left <= reach && left > .seconds(maxAge + Self.margin)),
            isOutdated: mayBeOutdated)
    }

    /// The policy at one moment.
    struct Moment {
        let maxAge: Int
        /// Whether a cache that serves this answer stale never does so after a scheduled publish.
        let mayBeServedStale: Bool
        /// Whether the service may cache the answer.
        let mayBeKept: Bool
        /// Whether it was rendered without the store.
        let isOutdated: Bool

        /// After a scheduled publish, no cache may serve the previous menu unless it cannot reach the service.
        var ofMenu: String {
            "public, max-age=\(maxAge), " + (mayBeServedStale ? "stale-while-revalidate=\(staleWhileRevalidate), " : "")
                + "stale-if-error=604800"
        }

        /// For 404. A stale 404 is useless, because the next publish may give the version a set.
        var ofAbsence: String { "public, max-age=\(maxAge)" }
    }
}
