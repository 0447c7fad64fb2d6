/// `UIApplicationShortcutIcon.IconType`: 29 of them, raw values 0 to 28; the first seven since iOS 9.0, the rest 9.1.
package enum SystemIconType: Int, CaseIterable, Hashable, Sendable {
    case compose, play, pause, add, location, search, share
    case prohibit, contact, home, markLocation, favorite, love, cloud, invitation, confirmation, mail, message, date
    case time, capturePhoto, captureVideo, task, taskCompleted, alarm, bookmark, shuffle, audio, update

    /// `search`
    package var name: String { "\(self)" }

    /// `search` or Info.plist's `UIApplicationShortcutIconTypeSearch`.
    package init?(name: String) {
        let found = Self.allCases.first { $0.name == name || $0.infoPlistName == name }
        guard let found else { return nil }
        self = found
    }

    package var infoPlistName: String {
        "UIApplicationShortcutIconType" + name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The name that a mistyped one most likely meant.
    static func suggestion(for name: String) -> SystemIconType? {
        let typed = Array(name.lowercased().utf8.prefix(64))
        let nearest = allCases.map { ($0, editDistance(typed, Array($0.name.lowercased().utf8))) }.min { $0.1 < $1.1 }
        guard let nearest, nearest.1 <= max(1, typed.count / 3) else { return nil }
        return nearest.0
    }
}

/// Levenshtein's distance: insertions, deletions and substitutions.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            let substitution = diagonal + (a == b ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(substitution, row[j] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}
