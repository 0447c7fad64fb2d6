import QuickActions

extension Simulation {
    /// The simulation as text for a terminal: the menu, the effect of each tap in words, and the changes of the first launch.
    package var drawing: String {
        let sections = [
            ["\(app) \(from) → \(to), updated and not launched yet (audience \(audience), language \(language))"],
            ["The icon at the top of the screen: the first item is the upper one"] + column(last: "└"),
            ["The icon at the bottom of the screen: the first item is the lower one"] + column(last: "┌").reversed(),
            ["A tap before the first launch"] + taps, firstLaunch,
        ]
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The icon and the rows of the menu. The row next to the icon is first.
    private func column(last corner: String) -> [String] {
        guard !menu.shown.isEmpty else { return ["  ▣ (no menu: no item is registered)"] }
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
        guard hasNewSet else {
            return ["The first launch of \(to)", "  No set is in effect for \(to). The app keeps the registered items."]
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

    /// The effect of the tap, in words.
    fileprivate var consequence: String {
        let target = "\(tap.item?.id.description ?? "") (\(targetTitle?.onOneLine ?? ""))"
        let fallback = tap.url.map { "opens \($0)" } ?? "just opens the app"
        let meaning =
            switch tap.outcome {
            case .current: "does what it says"
            case .equivalent: "does what it says, as registered from another revision or language"
            case .changed: "does what \(target) does now"
            case .replaced: "acts on \(target), which replaces it"
            case .untagged: "acts on \(target), the only item of its type"
            case .static: "the app acts on its type \(type.onOneLine)"
            case .retired: "the item was retired, \(fallback)"
            case .removed: "the item was removed without a rule, \(fallback)"
            case .unknown: "the item is unknown, \(fallback)"
            }
        return "\(tap.outcome.rawValue), \(meaning)"
    }
}

extension Text {
    /// With line breaks and control characters replaced: an Info.plist may contain them, and a terminal would interpret them.
    fileprivate var onOneLine: String {
        String(String.UnicodeScalarView(string.unicodeScalars.map { $0.isLineBreakOrControl ? "\u{FFFD}" : $0 }))
    }
}
