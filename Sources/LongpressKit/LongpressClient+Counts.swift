internal import Foundation
internal import QuickActions

extension LongpressClient {
    /// At most one report in this time.
    private static let pause = Duration.seconds(15 * 60)

    /// Reports the counted taps to the service (``LongpressConfiguration/countsTaps``), at most every 15 minutes. Each tap counts once, also if
    /// an answer is lost or the app is killed: taps stay stored until the service has accepted them, and are repeated under the same id.
    /// Taps that the service does not accept for six days are dropped.
    ///
    /// `Longpress` calls it when the app enters the background.
    public func reportTaps() async {
        guard configuration.countsTaps, !isReporting, case .success(let installation) = installation else { return }
        var counted = counted
        if let sentAt = counted.sentAt, sentAt <= now, sentAt + Self.pause > now { return }
        isReporting = true
        defer { isReporting = false }
        while let batch = counted.prepared(at: now) {
            counted.sentAt = now
            store(counted)
            guard let status = try? await send(installation.countsRequest(configuration.server, batch)).status else { return }
            // The service would reject it again. The rest is repeated later: 429, 5xx, a captive portal.
            guard status == 202 || status == 400 || status == 413 || status == 422 else { return }
            // Taps may have been counted meanwhile.
            counted = self.counted
            counted.finish()
            store(counted)
        }
    }

    func count(_ action: ResolvedAction) {
        guard configuration.countsTaps, case .success(let installation) = installation else { return }
        var counted = counted
        counted.add(
            CountedTaps.Kind(
                audience: installation.audience.description, item: action.id, type: action.type, version: action.registeredBy?.version,
                revision: action.registeredBy?.revision, outcome: action.outcome.rawValue))
        store(counted)
    }

    private var counted: CountedTaps { taps ?? read("taps").flatMap(CountedTaps.init) ?? CountedTaps() }

    private func store(_ counted: CountedTaps) {
        taps = counted
        save(counted.file, as: "taps")
    }
}
