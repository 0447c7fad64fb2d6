internal import QuickActions

/// How long an answer may be used without a request (RFC 9111 section 4.2, RFC 5861 section 4). Freshness only decides about requests: the
/// client shows a stored answer, and resolves taps with it, without a time limit.
struct Freshness: Sendable, Equatable {
    /// When the answer was received.
    let since: Timestamp
    /// In seconds, with the answer's `Age` subtracted.
    let maxAge: Int64
    /// In seconds after `maxAge`.
    let staleIfError: Int64

    init(since: Timestamp, maxAge: Int64, staleIfError: Int64) {
        self.since = since
        self.maxAge = maxAge
        self.staleIfError = staleIfError
    }

    /// An answer without `Cache-Control` is stale at once.
    init(_ response: LongpressResponse, at now: Timestamp) {
        var seconds: [String: Int64] = [:]
        var isReusable = true
        for directive in (response.field("cache-control") ?? "").split(separator: ",") {
            let halves = directive.lowercased().split(separator: "=", maxSplits: 1).map { String($0).trimmingBlanks }
            guard let name = halves.first else { continue }
            if name == "no-cache" || name == "no-store" { isReusable = false }
            if halves.count == 2 { seconds[String(name)] = Self.seconds(halves[1]) }
        }
        let age = response.field("age").flatMap { Self.seconds($0.trimmingBlanks) } ?? 0
        since = now
        maxAge = isReusable ? max(0, (seconds["max-age"] ?? 0) - age) : 0
        staleIfError = isReusable ? seconds["stale-if-error"] ?? 0 : 0
    }

    /// At most a year; nil if the text is not a number.
    private static func seconds(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return min(Int64(text) ?? .max, 31_536_000)
    }

    func isFresh(at now: Timestamp) -> Bool { isWithin(maxAge, now) }

    func mayBeUsedOnError(at now: Timestamp) -> Bool { staleIfError > 0 && isWithin(maxAge + staleIfError, now) }

    /// An answer from the future is stale: the clock was set back.
    private func isWithin(_ seconds: Int64, _ now: Timestamp) -> Bool {
        since <= now && now.milliseconds - since.milliseconds < seconds * 1000
    }
}
