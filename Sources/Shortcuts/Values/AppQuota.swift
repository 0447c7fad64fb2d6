import QuickActions

/// How much one app may hold. A limit of 0 means unlimited.
package struct AppQuota: Sendable {
    package var releases = 200
    /// The limit of sets, and separately of drafts and of schedule entries.
    package var sets = 5000
    /// The limit, in bytes, of the documents of releases and sets, and separately of those of drafts and schedule entries.
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

        package mutating func save(_ draft: Draft, replacing previous: Draft?) {
            drafts += previous == nil ? 1 : 0
            preparedBytes += draft.estimatedSize - (previous?.estimatedSize ?? 0)
        }

        package func saving(_ draft: Draft, replacing previous: Draft?) -> Use {
            var use = self
            use.save(draft, replacing: previous)
            return use
        }
    }

    package func isExceeded(by use: Use) -> Bool {
        func isAbove(_ number: Int, _ limit: Int) -> Bool { limit > 0 && number > limit }
        return isAbove(use.releases, releases) || isAbove(max(use.sets, use.drafts, use.scheduled), sets)
            || isAbove(max(use.bytes, use.preparedBytes), bytes)
    }

    /// - Parameters:
    ///   - use: after the write.
    ///   - previous: before the write. A write that adds nothing always succeeds.
    /// - Throws: `quotaExceeded`.
    package func require(_ use: Use, after previous: Use, of app: AppID) throws(Failure) {
        func require(_ part: KeyPath<Use, Int>, _ limit: Int, _ noun: String, _ setting: String, _ remedy: String) throws(Failure) {
            guard limit > 0, use[keyPath: part] > limit, use[keyPath: part] > previous[keyPath: part] else { return }
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
    /// Approximately the size of the document in bytes. It is estimated because encoding each set only for its size would be expensive.
    package var estimatedSize: Int {
        retired.reduce(items.reduce(64) { $0 + $1.estimatedSize }) {
            $0 + 32 + $1.id.description.utf8.count + ($1.url?.description.utf8.count ?? 0)
        }
    }
}

extension Draft {
    /// See `ShortcutSet.estimatedSize`.
    package var estimatedSize: Int { (incomplete?.encoded.count ?? 0) + set.estimatedSize }
}

extension Release {
    /// See `ShortcutSet.estimatedSize`.
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
