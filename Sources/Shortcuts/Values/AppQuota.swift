import QuickActions

/// How much one app may hold. A limit of 0 is none.
package struct AppQuota: Sendable {
    package var releases = 200
    /// Sets, and as many drafts and entries of the schedule each.
    package var sets = 5000
    /// Bytes of the documents of releases and sets, and as many of drafts and what is scheduled.
    package var bytes = 64 << 20

    package init() {}

    package static var none: AppQuota {
        var quota = AppQuota()
        (quota.releases, quota.sets, quota.bytes) = (0, 0, 0)
        return quota
    }

    /// What an app holds.
    package struct Use: Sendable {
        package var releases = 0
        package var sets = 0
        package var bytes = 0
        package var drafts = 0
        package var scheduled = 0
        package var preparedBytes = 0

        package init() {}

        package mutating func save(_ draft: ShortcutSet, replacing former: ShortcutSet?) {
            drafts += former == nil ? 1 : 0
            preparedBytes += draft.estimatedSize - (former?.estimatedSize ?? 0)
        }

        package func saving(_ draft: ShortcutSet, replacing former: ShortcutSet?) -> Use {
            var use = self
            use.save(draft, replacing: former)
            return use
        }
    }

    package func isExceeded(by use: Use) -> Bool {
        func isAbove(_ number: Int, _ limit: Int) -> Bool { limit > 0 && number > limit }
        return isAbove(use.releases, releases) || isAbove(max(use.sets, use.drafts, use.scheduled), sets)
            || isAbove(max(use.bytes, use.preparedBytes), bytes)
    }

    /// - Parameters:
    ///   - use: once a write is done.
    ///   - former: before it. A write that adds nothing is not refused.
    /// - Throws: `quotaExceeded`.
    package func require(_ use: Use, after former: Use, of app: AppID) throws(Failure) {
        func require(_ part: KeyPath<Use, Int>, _ limit: Int, _ noun: String, _ setting: String, _ remedy: String) throws(Failure) {
            guard limit > 0, use[keyPath: part] > limit, use[keyPath: part] > former[keyPath: part] else { return }
            throw Failure(
                .quotaExceeded,
                "The app \(quoted(app.description)) would have \(use[keyPath: part]) \(noun), but the limit is \(limit). \(remedy), or ask "
                    + "the operator to raise --\(setting). Nothing was written.")
        }
        try require(\.releases, releases, "releases", "max-releases", "Delete releases that are no longer in use")
        try require(\.sets, sets, "sets", "max-sets", "Delete sets of versions that are no longer in use")
        try require(\.drafts, sets, "drafts", "max-sets", "Publish or delete drafts")
        try require(\.scheduled, sets, "entries of the schedule", "max-sets", "Cancel entries of the schedule")
        try require(\.bytes, bytes, "bytes of releases and sets", "max-app-size", "Delete releases and sets that nobody needs")
        try require(\.preparedBytes, bytes, "bytes of drafts and scheduled sets", "max-app-size", "Publish or delete drafts")
    }
}

extension ShortcutSet {
    /// About as many bytes as its document has, without writing it: a write would encode each set once more for its size.
    package var estimatedSize: Int {
        retired.reduce(items.reduce(64) { $0 + $1.estimatedSize }) {
            $0 + 32 + $1.id.description.utf8.count + ($1.url?.description.utf8.count ?? 0)
        }
    }
}

extension Release {
    /// As of a set.
    package var estimatedSize: Int {
        let names = urlSchemes + (assets?.images ?? []) + (assets?.symbols ?? []) + [minimumOSVersion, displayName].compactMap { $0 }
        return names.reduce(staticItems.reduce(128) { $0 + $1.estimatedSize }) { $0 + 3 + $1.string.utf8.count }
    }
}

extension StaticItem {
    fileprivate var estimatedSize: Int {
        [type, title, subtitle, icon?.symbol, icon?.file].reduce(96) { $0 + ($1?.string.utf8.count ?? 0) }
            + PropertyList.dictionary(userInfo).estimatedSize
    }
}

extension ShortcutItem {
    fileprivate var estimatedSize: Int {
        let texts = (titles.rows + subtitles.rows).reduce(0) { $0 + 16 + $1.text.string.utf8.count }
        let names = id.description.utf8.count + type.string.utf8.count + (url?.description.utf8.count ?? 0)
        return 128 + texts + names + PropertyList.dictionary(userInfo).estimatedSize
    }
}

extension PropertyList {
    fileprivate var estimatedSize: Int {
        switch self {
        case .string(let text): text.string.utf8.count + 2
        case .data(let bytes): bytes.count * 4 / 3 + 16
        case .integer, .real, .boolean, .date: 24
        case .array(let elements): elements.reduce(2) { $0 + $1.estimatedSize }
        case .dictionary(let dictionary): dictionary.members.reduce(2) { $0 + 4 + $1.key.string.utf8.count + $1.value.estimatedSize }
        }
    }
}
