import QuickActions

/// What a tap means for the version that is installed now.
package struct TapResolution: Sendable {
    package let outcome: TapOutcome
    package let origin: TapOrigin
    /// What to act on, as it would be served now.
    package let item: ShortcutItem?
    /// Where to fall back to; nil where there is an item, and for `static`.
    package let url: ActionURL?

    /// Whether the app should register the current set.
    package var refresh: Bool {
        switch outcome {
        case .static: false
        case .current: origin != .same
        case .equivalent, .changed, .replaced, .retired, .removed, .untagged, .unknown: true
        }
    }
}

extension AppSnapshot {
    /// The whole table of domain rules, "What a tap means".
    package func resolve(_ tap: Tap) -> (resolution: TapResolution, answer: ShortcutsAnswer?) {
        let tag = tap.tag
        let audience = tap.audience ?? tap.taggedAudience ?? .default
        let answer = ShortcutsAnswer(
            for: Client(build: tap.installed, audience: audience, language: tap.language), in: self)
        guard let tag else { return (resolveUntagged(tap, answer), answer) }
        let origin = TapOrigin(of: tag.version, installed: tap.installed)
        guard let answer else {
            return (TapResolution(outcome: .removed, origin: origin, item: nil, url: app.fallbackURL), nil)
        }
        if let item = answer.effective.set.item(tag.item) {
            return (TapResolution(outcome: answer.outcome(of: item, tag), origin: origin, item: item, url: nil), answer)
        }
        let fate = timeline(for: audience).fate(of: tag.item, at: tap.installed.version, taggedAt: tag.version.version, origin)
        let fallback = answer.effective.set.fallbackURL ?? app.fallbackURL
        switch fate {
        case .lands(let item):
            return (TapResolution(outcome: .replaced, origin: origin, item: item, url: nil), answer)
        case .ends(let retired):
            return (TapResolution(outcome: .retired, origin: origin, item: nil, url: retired.url ?? fallback), answer)
        case .lost:
            return (TapResolution(outcome: .removed, origin: origin, item: nil, url: fallback), answer)
        }
    }

    /// Without a usable tag only the type is left: a static item's, or exactly one enabled item's.
    private func resolveUntagged(_ tap: Tap, _ answer: ShortcutsAnswer?) -> TapResolution {
        if release(for: tap.installed)?.staticItems.contains(where: { $0.type == tap.type }) ?? false {
            return TapResolution(outcome: .static, origin: .unknown, item: nil, url: nil)
        }
        let set = answer?.effective.set
        let sameType = set?.enabledItems.filter { $0.type == tap.type } ?? []
        if let item = sameType.first, sameType.count == 1 {
            return TapResolution(outcome: .untagged, origin: .unknown, item: item, url: nil)
        }
        return TapResolution(outcome: .unknown, origin: .unknown, item: nil, url: set?.fallbackURL ?? app.fallbackURL)
    }
}

extension ShortcutsAnswer {
    /// What became of an id that the effective set still has: decided by what the item does, not by what it says.
    fileprivate func outcome(of item: ShortcutItem, _ tag: TapTag) -> TapOutcome {
        guard let action = tag.action, action.string == VersionTag.actionHash(of: item) else { return .changed }
        let isServed = tag.revision == effective.revision && tag.language == row(of: item).language
        return isServed ? .current : .equivalent
    }
}
