import QuickActions

/// A change that the live stream reports, as stored in the journal.
package struct StreamEntry: Sendable, Equatable {
    package enum Change: Sendable, Equatable {
        /// A set was published or deleted. The answers for the audience's versions from `from` up to `until` may differ; without `until`,
        /// for all later versions.
        case set(revision: Int64, Audience, from: AppVersion, until: AppVersion?)
        /// The app or a release changed: every answer of the app may differ. The revision is the app's last one.
        case app(revision: Int64)
        /// The app was deleted.
        case deletion
    }

    package let position: StreamPosition
    package let app: AppID
    package let change: Change

    package init(position: StreamPosition, app: AppID, change: Change) {
        self.position = position
        self.app = app
        self.change = change
    }
}

extension StreamEntry {
    /// The name of the event.
    package var event: String {
        switch change {
        case .set, .app: "changed"
        case .deletion: "deleted"
        }
    }

    /// The event's data.
    package func json(at address: PublicAddress) -> JSON {
        switch change {
        case .set(let revision, let audience, let from, let until):
            [
                "app": .string(app), "revision": .integer(revision), "audience": .string(audience), "from": .string(from),
                "until": .optional(until), "url": .string(address.menu(of: app, from, audience, revision: revision)),
            ]
        case .app(let revision): ["app": .string(app), "revision": .integer(revision)]
        case .deletion: ["app": .string(app)]
        }
    }
}

extension [StreamEntry] {
    /// The newest entry for each app, audience and version at which a set begins, and the newest entry of the app itself, in their order.
    /// Entries of an app from before its deletion are left out.
    ///
    /// A newer entry of a set may cover fewer versions than an older one. Then another set begins where the newer entry ends, and its entry
    /// is newer than the older one. Together the two cover every version of an entry that is left out.
    package var compacted: [StreamEntry] {
        var seen: Set<Key> = []
        var deleted: Set<AppID> = []
        var newest: [StreamEntry] = []
        for entry in reversed() where !deleted.contains(entry.app) && seen.insert(Key(entry)).inserted {
            newest.append(entry)
            if case .deletion = entry.change { deleted.insert(entry.app) }
        }
        return newest.reversed()
    }
}

private struct Key: Hashable {
    let app: AppID
    var audience: Audience?
    var from: AppVersion?
    var isDeletion = false

    init(_ entry: StreamEntry) {
        app = entry.app
        switch entry.change {
        case .set(_, let audience, let from, _): (self.audience, self.from) = (audience, from)
        case .app: break
        case .deletion: isDeletion = true
        }
    }
}

/// A place in the journal of changes, directly after one entry. Its text, `3fa9c04b.41`, is the id of the entry's event.
///
/// The tag is random for each entry. After a restore from a backup, the database gives the same numbers again; the tag tells the old
/// entries from the new ones.
package struct StreamPosition: Hashable, Sendable, CustomStringConvertible {
    /// Increases by one with each entry, in the order of commits.
    package let number: Int64
    /// 1 to 32 ASCII letters and digits.
    package let tag: String

    package init(number: Int64, tag: String) {
        self.number = number
        self.tag = tag
    }

    /// Nil for text that is not a position.
    package init?(_ text: String) {
        guard text.utf8.count <= 52, let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let (tag, digits) = (text[..<dot], text[text.utf8.index(after: dot)...])
        guard 1...32 ~= tag.utf8.count, tag.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }), !digits.isEmpty,
            digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int64(digits)
        else { return nil }
        self.init(number: number, tag: String(tag))
    }

    package var description: String { "\(tag).\(number)" }
}
