import QuickActions

/// The requests that wait for a name look-up, and the answers of the last 50 ms. A name has at most one look-up in flight.
struct NameTable {
    /// Long enough to save a look-up per request under load. Too short for an attacker to change the name between check and use.
    private static let freshness = Duration.milliseconds(50)
    private static let maxAnswers = 1024

    /// The time limit from the start of an attempt to the answer.
    let timeout: Duration
    private var waiting: [String: [SignedRequest]] = [:]
    private var answers: [String: (addresses: [IPAddress], until: ContinuousClock.Instant)] = [:]

    init(timeout: Duration) {
        self.timeout = timeout
    }

    func fresh(_ name: String, at now: ContinuousClock.Instant) -> [IPAddress]? {
        answers[name].flatMap { $0.until > now ? $0.addresses : nil }
    }

    /// - Returns: whether the caller must start a look-up; false while one is in flight.
    mutating func wait(_ request: SignedRequest, for name: String) -> Bool {
        guard waiting[name] == nil else {
            waiting[name]?.append(request)
            return false
        }
        waiting[name] = [request]
        return true
    }

    /// - Returns: the requests that wait for the name and have not expired.
    mutating func answered(_ name: String, _ result: LookupResult, at now: ContinuousClock.Instant) -> [SignedRequest] {
        if answers.count >= Self.maxAnswers { answers = answers.filter { $0.value.until > now } }
        if case .addresses(let addresses) = result, answers.count < Self.maxAnswers {
            answers[name] = (addresses, now + Self.freshness)
        }
        return waiting.removeValue(forKey: name) ?? []
    }

    /// Removes the requests whose look-up has timed out. The look-up itself stays in flight.
    mutating func takeExpired(at now: ContinuousClock.Instant) -> [SignedRequest] {
        var expired: [SignedRequest] = []
        for (name, requests) in waiting where requests.contains(where: { $0.started + timeout <= now }) {
            expired += requests.filter { $0.started + timeout <= now }
            waiting[name] = requests.filter { $0.started + timeout > now }
        }
        return expired
    }

    var nextExpiry: ContinuousClock.Instant? {
        waiting.values.joined().map(\.started).min().map { $0 + timeout }
    }
}
