import QuickActions

/// Everything that the menu of a revision depends on, except the revision's number.
package struct MenuContent: Equatable, Sendable {
    let app: App
    let version: AppVersion
    let audience: Audience
    let set: ShortcutSet
    let visibleBudget: Int

    /// - Parameter snapshot: the app before or after the set is published.
    init(_ set: ShortcutSet, from version: AppVersion, for audience: Audience, in snapshot: AppSnapshot) {
        app = snapshot.app
        self.version = version
        self.audience = audience
        self.set = set
        visibleBudget = snapshot.releases.visibleBudget(for: AppBuild(version))
    }
}

extension MenuContent {
    /// The menu that a change would publish now; nil if it changes no menu, or cannot be applied.
    package init?(of change: SetChange, in snapshot: AppSnapshot) {
        let timeline = snapshot.ownTimeline(of: change.audience)
        guard let set = try? change.content(in: timeline, of: snapshot.app), timeline.set(startingAt: change.version)?.set != set else {
            return nil
        }
        self.init(set, from: change.version, for: change.audience, in: snapshot)
    }
}

/// A menu that is rendered before its revision has a number, so that only the number is inserted while the writer is held.
package struct RenderedMenu: Sendable {
    package let content: MenuContent
    /// The JSON without the number of the revision, which stands between each two parts.
    private let parts: [ArraySlice<UInt8>]

    /// U+FFFF, which no text of a document can contain (see `WrittenVersion`).
    private static let placeholder = "\u{FFFF}"

    package init(_ content: MenuContent) {
        self.content = content
        let bytes = ShortcutsAnswer(content, revision: .outOfRange(Self.placeholder, isInteger: true)).json.encodedLine
        let mark = Array(Self.placeholder.utf8)
        var parts: [ArraySlice<UInt8>] = []
        var (start, index) = (0, 0)
        while index + mark.count <= bytes.count {
            if bytes[index] == mark[0], bytes[index + 1] == mark[1], bytes[index + 2] == mark[2] {
                parts.append(bytes[start..<index])
                index += mark.count
                start = index
            } else {
                index += 1
            }
        }
        parts.append(bytes[start...])
        self.parts = parts
    }

    /// The entity tag of the answer to a fetch for the set's version without content negotiation, while the revision is current.
    func etag(ofRevision number: Int64) -> String {
        let number = Array(String(number).utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.count + number.count })
        for part in parts {
            if !bytes.isEmpty { bytes += number }
            bytes += part
        }
        return "\"\(entityHash(of: bytes))\""
    }
}
