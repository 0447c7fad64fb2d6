import QuickActions

extension Simulation {
    package var json: JSON {
        let titles: [JSON] = menu.shown.map { .string($0.title) }
        // From the top of the screen down, by the position of the app's icon.
        return [
            "app": .string(app), "from": .string(from), "to": .string(to), "audience": .string(audience), "language": .string(language),
            "menu": menu.shownJSON, "hidden": menu.hiddenJSON, "positions": ["top": .array(titles), "bottom": .array(titles.reversed())],
            "afterLaunch": [
                "menu": afterLaunch.shownJSON, "hidden": afterLaunch.hiddenJSON, "added": .strings(change.added),
                "removed": .strings(change.removed), "changed": .strings(change.changed),
            ],
        ]
    }
}

extension Simulation.Menu {
    fileprivate var shownJSON: JSON { .array(shown.map { $0.json(isVisible: true) }) }
    fileprivate var hiddenJSON: JSON { .array(hidden.map { $0.json(isVisible: false) }) }
}

extension Simulation.Entry {
    fileprivate func json(isVisible: Bool) -> JSON {
        [
            "kind": .string(kind.rawValue), "id": .optional(id), "type": .string(type), "title": .string(title),
            "subtitle": subtitle.map { .string($0) }, "visible": .boolean(isVisible),
            "tap": [
                "outcome": .string(tap.outcome.rawValue), "origin": .string(tap.origin.rawValue),
                "item": .optional(tap.item?.id.description), "url": .optional(tap.url), "refresh": .boolean(tap.refresh),
            ],
        ]
    }
}
