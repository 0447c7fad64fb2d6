import QuickActions

/// A saved plan (`plan --out`) to be applied later without changes: the documents, and the revisions of the sets that they change.
package struct PlanFile: Sendable {
    private static let format = "longpress-plan"
    private static let schema: Int64 = 2
    private static let limit = 32 << 20

    private let server: String
    package private(set) var application: Application

    /// - Parameter changes: the answer of the service. The revisions of its sets become `base`.
    package init(_ application: Application, planned changes: PlannedChanges, on server: ServerAddress) {
        let base = changes.apps.map { JSON.Member(Text($0.app.description), $0.base) }
        self.server = server.description
        self.application = application
        self.application.base = .object(base)
    }

    package func write(to path: String) throws(RemoteFailure) {
        let document: JSON = [
            "format": .string(Self.format), "schema": .integer(Self.schema), "server": .string(server),
            "prune": .boolean(application.options.prunes), "overwrite": .boolean(application.options.overwrites),
            "recreate": .boolean(application.options.recreates), "drafts": application.options.onlySavesDrafts ? true : nil,
            "use": application.options.winners, "base": application.base,
            "apps": application.apps,
        ]
        try LocalFile.write(document.prettyPrinted, to: path)
    }

    /// - Parameters:
    ///   - server: the service to apply to. It must be the service that made the plan.
    ///   - chosen: the only apps to apply; empty for all.
    package init(readFrom path: String, for server: ServerAddress, only chosen: [AppID] = []) throws(RemoteFailure) {
        let json = try LocalFile.json(path, atMost: Self.limit)
        guard json.text("format") == Self.format, let made = json.text("server"), case .object(let base)? = json["base"],
            case .object? = json["apps"], let prunes = json.boolean("prune")
        else { throw RemoteFailure("\(path) is not a plan. Create one with longpress plan TREE --out FILE.") }
        guard json.integer("schema") == Self.schema, let overwrites = json.boolean("overwrite"), let recreates = json.boolean("recreate")
        else {
            throw RemoteFailure(
                "\(path) is a plan of another version of longpress. Create it again with longpress plan TREE --out \(path).")
        }
        for member in base {
            guard AppID(member.name.string) != nil, case .object = member.value else {
                throw RemoteFailure("\(path): base has \(quoted(member.name.string)), which is not an app with revisions of sets.")
            }
        }
        guard made == server.description else {
            throw RemoteFailure(
                "\(path) was created for \(made), but the service is \(server). Create the plan again with longpress plan TREE --out "
                    + "\(path).")
        }
        self.server = made
        var options = ApplyOptions()
        (options.prunes, options.overwrites, options.recreates, options.winners) = (prunes, overwrites, recreates, json["use"])
        options.onlySavesDrafts = json.boolean("drafts") ?? false
        let all = Application(apps: json["apps"] ?? [:], base: .object(base), options: options)
        for app in chosen where json["apps"]?[Text(app.description)] == nil {
            throw RemoteFailure("\(path) has no app \(quoted(app.description)). Check --app.")
        }
        application = chosen.isEmpty ? all : all.limited(to: chosen.map { Text($0.description) })
    }

    /// Whether the plan was made from the same documents.
    package func isOf(_ other: Application) -> Bool { application.apps.canonical.encoded == other.apps.canonical.encoded }
}

extension PlannedChanges.OfApp {
    /// The current revisions of the sets that change.
    fileprivate var base: JSON {
        .object(
            changes.compactMap { change in
                guard case .set(let name) = change.name else { return nil }
                return change.base.map { JSON.Member(Text(name.description), .integer($0)) }
            })
    }
}
