import QuickActions
import Shortcuts

/// What caches are told about answers of the client plane (RFC 9111, RFC 5861).
package struct CachePolicy: Sendable {
    /// Seconds for which an answer is fresh.
    package let maxAge: Int

    package init(maxAge: Int = 60) {
        self.maxAge = maxAge
    }

    /// For how long before a scheduled publish answers are not kept in memory: until then none is handed out whose freshness
    /// would reach past it. The margin is for a timer that is late.
    package var windowBeforePublish: Duration { .seconds(maxAge + 5) }

    /// The policy for an answer that is made now.
    /// - Parameters:
    ///   - nextPublish: when a draft of the app is to be published.
    ///   - mayBeOutdated: whether it is made from what was read before, because the store cannot be read.
    func at(_ now: Timestamp, nextPublish: Timestamp?, mayBeOutdated: Bool = false) -> Moment {
        guard let nextPublish else { return Moment(maxAge: maxAge, isFinal: true, mayBeKept: !mayBeOutdated) }
        let left = nextPublish.milliseconds - now.milliseconds
        return Moment(
            maxAge: Int(min(Int64(maxAge), max(0, left / 1000))), isFinal: false,
            mayBeKept: !mayBeOutdated && left > windowBeforePublish.inMilliseconds)
    }

    /// What is told at one moment.
    struct Moment {
        let maxAge: Int
        /// Whether nothing is known that will change the answer.
        let isFinal: Bool
        /// Whether the same bytes may be handed out for a while.
        let mayBeKept: Bool

        /// Fresh for a while, then served stale while or where the origin cannot answer. What is about to change must not be
        /// served stale while it is fetched anew.
        var ofMenu: String {
            "public, max-age=\(maxAge), " + (isFinal ? "stale-while-revalidate=86400, " : "") + "stale-if-error=604800"
        }

        /// A version without a set may get one with the next publish; a stale absence helps no one.
        var ofAbsence: String { "public, max-age=\(maxAge)" }
    }
}
