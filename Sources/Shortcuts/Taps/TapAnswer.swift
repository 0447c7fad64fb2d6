import QuickActions

/// The answer to a tap: its resolution, and the item as a fetch would serve it now.
package struct TapAnswer {
    private let tap: Tap
    private let app: AppID
    private let resolution: TapResolution
    private let answer: ShortcutsAnswer?

    package init(to tap: Tap, in snapshot: AppSnapshot) {
        self.tap = tap
        app = snapshot.app.id
        (resolution, answer) = snapshot.resolve(tap)
    }

    /// The dimensions by which the tap is counted.
    package var kind: TapKind {
        let tag = tap.tag
        return TapKind(
            app: app, item: tag?.item ?? resolution.item?.id, tagVersion: tag?.version.version, version: tap.installed.version,
            outcome: resolution.outcome)
    }

    package var json: JSON {
        let item = resolution.item.flatMap { item in answer.map { $0.json(of: item) } }
        return [
            "outcome": .string(resolution.outcome.rawValue), "origin": .string(resolution.origin.rawValue), "item": item ?? .null,
            "url": .optional(resolution.url), "refresh": .boolean(resolution.refresh),
            "tapped": .object(tap.userInfo.filter { !$0.name.string.utf8.starts(with: VersionTag.prefix.utf8) }),
        ]
    }
}
