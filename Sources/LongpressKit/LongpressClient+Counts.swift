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
            counted.finish(batch)
            store(counted)
        }
    }

    /// - Parameter arm: of the menu that was shown when the item was tapped. The service does not count taps on drafts, so the first one is
    ///   not the first tap of a roll-out.
    func count(_ action: ResolvedAction, in arm: ChosenArm?) {
        guard configuration.countsTaps, case .success(let installation) = installation else { return }
        var counted = counted
        counted.add(
            CountedTaps.Kind(
                audience: installation.audience.description, item: action.id, type: action.type, version: action.registeredBy?.version,
                revision: action.registeredBy?.revision, outcome: action.outcome.rawValue),
            in: action.registeredBy?.revision == VersionTag.draftRevision ? nil : arm)
        store(counted)
    }

    /// The stored taps, if another process has written them.
    private var counted: CountedTaps {
        guard let file = read("taps"), file != tapsFile, let stored = CountedTaps(file) else { return taps }
        return stored
    }

    private func store(_ counted: CountedTaps) {
        taps = counted
        save(counted.file, as: "taps")
        // Unlike the counted taps if they could not be saved.
        tapsFile = read("taps")
    }
}
