internal import QuickActions

/// How long an answer may be used without asking again (RFC 9111 section 4.2, RFC 5861 section 4). What is kept never expires for
/// showing and resolving: this is about requests only.
struct Freshness: Sendable, Equatable {
    /// When the answer came.
    let since: Timestamp
    /// In seconds, what the answer had aged on its way deducted.
    let maxAge: Int64
    /// In seconds, from when it is no longer fresh.
    let staleIfError: Int64

    init(since: Timestamp, maxAge: Int64, staleIfError: Int64) {
        self.since = since
        self.maxAge = maxAge
        self.staleIfError = staleIfError
    }

    /// An answer without `Cache-Control` is fresh for no time.
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

    /// A year at most; nil for what is no number.
    private static func seconds(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return min(Int64(text) ?? .max, 31_536_000)
    }

    func isFresh(at now: Timestamp) -> Bool { isWithin(maxAge, now) }

    func mayBeUsedOnError(at now: Timestamp) -> Bool { staleIfError > 0 && isWithin(maxAge + staleIfError, now) }

    /// A clock that was set back makes no answer fresh for longer.
    private func isWithin(_ seconds: Int64, _ now: Timestamp) -> Bool {
        since <= now && now.milliseconds - since.milliseconds < seconds * 1000
    }
}
