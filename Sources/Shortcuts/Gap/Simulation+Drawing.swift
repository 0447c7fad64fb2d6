import QuickActions

extension Simulation {
    /// The menu as a terminal can show it, what each tap does in words, and what the first launch changes.
    package var drawing: String {
        let sections = [
            ["\(app) \(from) → \(to), updated and not launched yet (audience \(audience), language \(language))"],
            ["The icon at the top of the screen: the first item is the upper one"] + column(last: "└"),
            ["The icon at the bottom of the screen: the first item is the lower one"] + column(last: "┌").reversed(),
            ["A tap before the first launch"] + taps, firstLaunch,
        ]
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The icon and the rows of the menu, from the icon away.
    private func column(last corner: String) -> [String] {
        guard !menu.shown.isEmpty else { return ["  ▣ (no menu: nothing is registered)"] }
        let rows = menu.shown.enumerated().map { place, entry in
            "  \(place == menu.shown.count - 1 ? corner : "├") \(entry.row)"
        }
        return ["  ▣"] + rows
    }

    private var taps: [String] {
        guard !menu.entries.isEmpty else { return ["  There is nothing to tap."] }
        return menu.entries.enumerated().map { place, entry in
            "  \(place + 1). \(entry.row): \(entry.consequence)" + (place < visibleMenuItems ? "" : " (registered, not shown)")
        }
    }

    private var firstLaunch: [String] {
        guard registersAnew else {
            return ["The first launch of \(to)", "  No set is in effect for \(to): the app keeps what is registered."]
        }
        let isSame = change.added.isEmpty && change.removed.isEmpty && change.changed.isEmpty
        let changes =
            change.added.map { "  + \($0)" } + change.removed.map { "  - \($0)" } + change.changed.map { "  ~ \($0)" }
        return ["The first launch of \(to)"] + (isSame ? ["  registers the same items with its own version."] : changes)
            + ["  shows: " + (afterLaunch.shown.isEmpty ? "no menu" : afterLaunch.shown.map(\.title.onOneLine).joined(separator: ", "))]
    }
}

extension Simulation.Entry {
    fileprivate var row: String {
        let subtitle = subtitle.map { " – \($0.onOneLine)" } ?? ""
        return title.onOneLine + subtitle + (kind == .static ? " [static]" : "")
    }

    /// What the tap does, in words.
    fileprivate var consequence: String {
        let landing = "\(tap.item?.id.description ?? "") (\(landing?.onOneLine ?? ""))"
        let fallback = tap.url.map { "opens \($0)" } ?? "just opens the app"
        let meaning =
            switch tap.outcome {
            case .current: "does what it says"
            case .equivalent: "does what it says; it was registered from another revision or language"
            case .changed: "acts on what \(landing) does now"
            case .replaced: "acts on \(landing), which took it over"
            case .untagged: "acts on \(landing), the only item of its type"
            case .static: "the app acts on its type \(type.onOneLine)"
            case .retired: "the item is gone on purpose, \(fallback)"
            case .removed: "nothing is known of the item any more, \(fallback)"
            case .unknown: "nothing is known of it, \(fallback)"
            }
        return "\(tap.outcome.rawValue), \(meaning)"
    }
}

extension Text {
    /// An Info.plist may hold line breaks and control characters, which a terminal would obey.
    fileprivate var onOneLine: String {
        String(String.UnicodeScalarView(string.unicodeScalars.map { $0.breaksALine ? "\u{FFFD}" : $0 }))
    }
}
