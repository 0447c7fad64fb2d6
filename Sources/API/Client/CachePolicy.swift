import QuickActions
import Shortcuts

/// The `Cache-Control` of the client plane's answers (RFC 9111, RFC 5861).
package struct CachePolicy: Sendable {
    /// Seconds for which an answer is fresh.
    package let maxAge: Int

    package init(maxAge: Int = 60) {
        self.maxAge = maxAge
    }

    /// The time before a scheduled publish in which answers are not cached by the service, because each needs a `max-age` that ends with
    /// it. It is longer than `maxAge` by a margin for late timers.
    package var windowBeforePublish: Duration { .seconds(maxAge + 5) }

    /// The policy for an answer rendered now.
    /// - Parameters:
    ///   - nextPublish: the time of the app's next scheduled publish.
    ///   - mayBeOutdated: whether the answer is rendered from a stale snapshot, because the store cannot be read.
    func at(_ now: Timestamp, nextPublish: Timestamp?, mayBeOutdated: Bool = false) -> Moment {
        guard let nextPublish else { return Moment(maxAge: maxAge, isFinal: true, mayBeKept: !mayBeOutdated, isOutdated: mayBeOutdated) }
        let left = nextPublish.milliseconds - now.milliseconds
        return Moment(
            maxAge: Int(min(Int64(maxAge), max(0, left / 1000))), isFinal: false,
            mayBeKept: !mayBeOutdated && left > windowBeforePublish.inMilliseconds, isOutdated: mayBeOutdated)
    }

    /// The policy at one moment.
    struct Moment {
        let maxAge: Int
        /// Whether the app has no scheduled publish.
        let isFinal: Bool
        /// Whether the service may cache the answer.
        let mayBeKept: Bool
        /// Whether it was rendered without the store.
        let isOutdated: Bool

        /// `stale-while-revalidate` is left out before a scheduled publish, after which no cache may serve the former menu.
        var ofMenu: String {
            "public, max-age=\(maxAge), " + (isFinal ? "stale-while-revalidate=86400, " : "") + "stale-if-error=604800"
        }

        /// For 404: a stale one is useless, because the next publish may give the version a set.
        var ofAbsence: String { "public, max-age=\(maxAge)" }
    }
}
