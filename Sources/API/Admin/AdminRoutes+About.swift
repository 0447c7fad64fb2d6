import HTTP
import QuickActions
import Shortcuts

/// This program, as `/about` describes it.
package struct ProgramDescription: Sendable {
    let version: String
    let libraries: [(name: String, version: String)]

    /// - Parameter libraries: the system's libraries that the process is linked with at run time.
    package init(version: String, libraries: [(name: String, version: String)]) {
        (self.version, self.libraries) = (version, libraries)
    }
}

extension AdminRoutes {
    var aboutRoutes: [Route] {
        [route("getAbout", .get, "/about", .reader, app: .none, getAbout)]
    }

    private func getAbout(_ call: AdminCall) throws(Failure) -> Response {
        let database = try stores.databaseDescription()
        return .json([
            "version": .string(program.version),
            "engine": .string(database.engine.rawValue),
            "engineVersion": .string(database.engineVersion),
            "database": [
                "migration": .integer(database.migrations.last?.number ?? 0),
                "migrations": .array(database.migrations.map(\.json)),
            ],
            "libraries": .object(program.libraries.map { JSON.Member(Text($0.name), .string($0.version)) }),
        ])
    }
}

extension DatabaseDescription.Migration {
    fileprivate var json: JSON { ["number": .integer(number), "name": .string(name), "appliedAt": .string(appliedAt)] }
}

extension AdminRoutes {
    var nodeRoutes: [Route] {
        [route("listNodes", .get, "/nodes", .owner, app: .none, listNodes)]
    }

    /// Lists all nodes on one page.
    private func listNodes(_ call: AdminCall) throws(Failure) -> Response {
        guard call.identity.scope == .all else {
            throw Failure(
                .forbidden,
                "\(call.identity.title) is limited to some apps, but every node serves all apps. Use a token without that limit.")
        }
        return .list(Page(whole: try stores.nodes()), \.json)
    }
}

extension Node {
    fileprivate var json: JSON {
        [
            "node": .string(name), "version": .string(version), "startedAt": .string(startedAt), "seenAt": .string(seenAt),
            "clockOffsetMs": .integer(clockOffsetMilliseconds), "changesBehind": .integer(changesBehind),
        ]
    }
}
