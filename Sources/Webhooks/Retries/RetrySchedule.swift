import QuickActions
import Shortcuts

/// The delays between the attempts of a delivery, one entry per attempt: `0s,5s,5m` makes three, the first at once.
/// A delay is measured from the end of the previous attempt.
package struct RetrySchedule: Hashable, Sendable, CustomStringConvertible {
    package let delays: [Duration]

    package static let standard = RetrySchedule(
        trusted: [
            .zero, .seconds(5), .seconds(300), .seconds(1800), .seconds(2 * 3600), .seconds(5 * 3600), .seconds(10 * 3600),
            .seconds(14 * 3600), .seconds(20 * 3600), .seconds(24 * 3600),
        ])

    /// Parses the value of a flag: durations separated by commas.
    package init(parsing text: String) throws(TextRefusal) {
        var delays: [Duration] = []
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = String(entry).trimmingBlanks
            guard let delay = Duration(text: String(word)) else {
                throw TextRefusal(
                    "\(quoted(String(word))) is not a delay. Use whole numbers with ms, s, m or h, separated by commas, "
                        + "for example 0s,5s,5m,30m.")
            }
            delays.append(delay)
        }
        guard delays.count <= 100 else {
            throw TextRefusal("The schedule has \(delays.count) attempts. Use at most 100.")
        }
        self.delays = delays
    }

    private init(trusted delays: [Duration]) {
        self.delays = delays
    }

    package var description: String { delays.map(\.text).joined(separator: ",") }

    /// The delay before the next attempt in milliseconds, with ±20 % jitter, from the end of the previous attempt (the first: from the
    /// event); nil if the schedule has no more attempts.
    package func delay(afterAttempts made: Int, random: UInt64) -> Int64? {
        guard delays.indices.contains(made) else { return nil }
        return Int64(Double(delays[made].inMilliseconds) * (0.8 + 0.4 * random.unitInterval))
    }
}
