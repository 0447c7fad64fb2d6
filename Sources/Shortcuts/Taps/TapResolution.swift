import QuickActions

/// What a tap means for the installed version.
package struct TapResolution: Sendable {
    package let outcome: TapOutcome
    package let origin: TapOrigin
    /// The item of the effective set to act on.
    package let item: ShortcutItem?
    /// The URL to open instead; nil if there is an item, and for `static`.
    package let url: ActionURL?

    /// Whether the app should register the current set.
    package var refresh: Bool { outcome.needsRefresh(origin) }
}

extension AppSnapshot {
    /// Resolves a tap by the rules of docs/ios.md, "What happens when". The audience is the one in the body, else the tag's, else
    /// `default`.
    /// - Returns: the resolution, and the client's answer, which is nil if no set is in effect for the installed version.
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
        let fallback = answer.effective.set.fallbackURL ?? app.fallbackURL
        switch timeline(for: audience).resolve(tag.item, for: tap.installed.version, taggedAt: tag.version.version, origin) {
        case .item(let item):
            return (TapResolution(outcome: .replaced, origin: origin, item: item, url: nil), answer)
        case .retired(let retired):
            return (TapResolution(outcome: .retired, origin: origin, item: nil, url: retired.url ?? fallback), answer)
        case .unknown:
            return (TapResolution(outcome: .removed, origin: origin, item: nil, url: fallback), answer)
        }
    }

    /// Without a usable tag, only the type is left: that of a static item, or of exactly one enabled item.
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
    /// The outcome for an item that the effective set still has. It depends on the action hash and not on titles or icons.
    fileprivate func outcome(of item: ShortcutItem, _ tag: TapTag) -> TapOutcome {
        tag.outcome(action: item.actionHash, revision: effective.revision, language: row(of: item).language)
    }
}
