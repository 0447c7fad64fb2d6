import QuickActions

/// Which requests wait for which name, and which names were answered a moment ago. One look-up a name at a time.
struct NameTable {
    /// Long enough to spare a look-up a request under load, too short for a name to be changed and used in between.
    private static let freshness = Duration.milliseconds(50)
    private static let most = 1024

    /// From the beginning of an attempt.
    let timeout: Duration
    private var waiting: [String: [SignedRequest]] = [:]
    private var answers: [String: (addresses: [IPAddress], until: ContinuousClock.Instant)] = [:]

    init(timeout: Duration) {
        self.timeout = timeout
    }

    func fresh(_ name: String, at now: ContinuousClock.Instant) -> [IPAddress]? {
        answers[name].flatMap { $0.until > now ? $0.addresses : nil }
    }

    /// - Returns: whether the name is to be looked up; it is not while a look-up of it is under way.
    mutating func wait(_ request: SignedRequest, for name: String) -> Bool {
        guard waiting[name] == nil else {
            waiting[name]?.append(request)
            return false
        }
        waiting[name] = [request]
        return true
    }

    /// - Returns: the requests that waited for it and still do.
    mutating func answered(_ name: String, _ result: LookupResult, at now: ContinuousClock.Instant) -> [SignedRequest] {
        if answers.count >= Self.most { answers = answers.filter { $0.value.until > now } }
        if case .addresses(let addresses) = result, answers.count < Self.most {
            answers[name] = (addresses, now + Self.freshness)
        }
        return waiting.removeValue(forKey: name) ?? []
    }

    /// Requests that have waited too long. Their name stays marked as being looked up.
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
