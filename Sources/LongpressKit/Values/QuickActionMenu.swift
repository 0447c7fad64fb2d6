internal import QuickActions

/// The dynamic quick actions of one version of an app, in one language.
public struct QuickActionMenu: Sendable, Equatable {
    /// A roll-out, which shows a candidate to a share of the installations in place of the published menu.
    public struct Rollout: Sendable, Equatable {
        /// One of the two menus of a roll-out.
        public enum Arm: String, Sendable {
            /// The menu that the roll-out tries.
            case candidate
            /// The published menu.
            case control
        }

        /// The id of the roll-out. Each roll-out has a new one.
        public let id: String
        /// The arm that this installation chose.
        public let arm: Arm
    }

    /// The app's bundle identifier.
    public let app: String
    /// The version of the app, in three parts: `2.1.0`.
    public let version: String
    /// The audience of this menu: `default` if the requested audience does not have its own menu.
    public let audience: String
    /// The BCP 47 tag of the menu's language. An item without a title in this language is in the app's default language.
    public let language: String
    /// The revision of the published set. It grows with every publish of the app.
    public let revision: Int64
    /// The items in display order. If there are none, remove the registered items.
    public let items: [QuickActionItem]
    /// The roll-out of this menu and the arm of this installation, for the app's own analytics. Nil if no roll-out runs, for a bundled menu,
    /// and for drafts.
    public let rollout: Rollout?
    /// The templates of personal items, which `Longpress` registers with values of the app.
    let personal: [ServedPersonalItem]

    /// Creates a menu, for tests and previews.
    public init(app: String, version: String, audience: String, language: String, revision: Int64, items: [QuickActionItem]) {
        self.app = app
        self.version = version
        self.audience = audience
        self.language = language
        self.revision = revision
        self.items = items
        rollout = nil
        personal = []
    }
}

extension QuickActionMenu {
    init(_ menu: ServedMenu, _ choice: ChosenArm? = nil) {
        app = menu.subject.app.description
        version = menu.subject.version.description
        audience = menu.subject.audience.description
        language = menu.language.description
        revision = menu.subject.revision
        items = menu.items.map(QuickActionItem.init)
        rollout = choice.map { Rollout(id: $0.rollout, arm: $0.arm == .candidate ? .candidate : .control) }
        personal = menu.personal
    }

    /// The names of the sources of its personal items, with the greatest number of values that an item takes.
    package var sources: [String: Int] {
        Dictionary(personal.map { ($0.source.string, $0.limit) }, uniquingKeysWith: max)
    }

    /// All items in display order. A personal item appears once for each of the values of its source, up to its limit.
    /// - Parameter values: by source.
    package func items(with values: [String: [[String: String]]]) -> [QuickActionItem] {
        var rows = items.map { [$0] }
        for template in personal {
            let filled = (values[template.source.string] ?? []).prefix(template.limit).compactMap { template.registered(with: $0) }
            rows.insert(filled.map(QuickActionItem.init), at: min(max(0, template.at ?? 0), rows.count))
        }
        return rows.flatMap(\.self)
    }
}
