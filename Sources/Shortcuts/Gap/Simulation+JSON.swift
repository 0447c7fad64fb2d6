import QuickActions

extension Simulation {
    package var json: JSON {
        let titles = menu.shown.map { JSON.string($0.title) }
        return .object([
            JSON.Member("app", .string(app.description)), JSON.Member("from", .string(from.description)),
            JSON.Member("to", .string(to.description)), JSON.Member("audience", .string(audience.description)),
            JSON.Member("language", .string(language.description)), JSON.Member("menu", menu.shownJSON),
            JSON.Member("hidden", menu.hiddenJSON),
            // As they are read on the screen from its top, by where the app's icon is.
            JSON.Member(
                "positions", .object([JSON.Member("top", .array(titles)), JSON.Member("bottom", .array(titles.reversed()))])),
            JSON.Member(
                "afterLaunch",
                .object([
                    JSON.Member("menu", afterLaunch.shownJSON), JSON.Member("hidden", afterLaunch.hiddenJSON),
                    JSON.Member("added", ids(change.added)), JSON.Member("removed", ids(change.removed)),
                    JSON.Member("changed", ids(change.changed)),
                ])),
        ])
    }

    private func ids(_ ids: [ItemID]) -> JSON {
        .array(ids.map { .string($0.description) })
    }
}

extension Simulation.Menu {
    fileprivate var shownJSON: JSON { .array(shown.map { $0.json(isVisible: true) }) }
    fileprivate var hiddenJSON: JSON { .array(hidden.map { $0.json(isVisible: false) }) }
}

extension Simulation.Entry {
    fileprivate func json(isVisible: Bool) -> JSON {
        .object(
            [
                JSON.Member("kind", .string(kind.rawValue)), JSON.Member("id", .optional(id?.description)),
                JSON.Member("type", .string(type)), JSON.Member("title", .string(title)),
            ]
            .adding("subtitle", subtitle.map(JSON.string))
            .adding("visible", .boolean(isVisible))
            .adding(
                "tap",
                .object([
                    JSON.Member("outcome", .string(tap.outcome.rawValue)), JSON.Member("origin", .string(tap.origin.rawValue)),
                    JSON.Member("item", .optional(tap.item?.id.description)), JSON.Member("url", .optional(tap.url?.description)),
                    JSON.Member("refresh", .boolean(tap.refresh)),
                ])))
    }
}
