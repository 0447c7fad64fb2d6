import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct AuditTests {
    private let store: Store
    private let apps: [AppID]

    /// Writes of two tokens to two apps, each at another time.
    init() throws {
        let store = try Workbench().store
        self.store = store
        apps = [try store.makeApp("com.example.a", at: 1), try store.makeApp("com.example.b", at: 1)]
        for number in 0..<40 {
            let author = author(at: Timestamp(milliseconds: Int64(number / 2 + 2)), number % 3 == 0 ? "ana" : "ben")
            let app = apps[number % 5 == 0 ? 1 : 0]
            if number % 4 == 0 {
                try store.createToken(
                    Token(
                        id: TokenID("t\(number)"), name: number == 4 ? "ci" : "ci\(number)", role: .reader, scope: .all, createdAt: 1,
                        hash: Array(repeating: 1, count: 32)),
                    by: author)
            } else {
                let change = SetChange(
                    version: try version("1.0"), audience: .default, action: .publish(try shortcutSet("i\(number)")), writeCondition: .none,
                    consent: .none(override: nil))
                _ = try store.publish(change, of: app, by: author)
            }
        }
    }

    private func readAll(_ limit: Int, _ filter: AuditFilter, within scope: Scope = .all) throws -> [AuditEntry] {
        var (entries, cursor): ([AuditEntry], String?) = ([], nil)
        repeat {
            let page = try store.audit(PageRequest(limit: limit, cursor: cursor), matching: filter, within: scope)
            #expect(page.items.count == limit || page.next == nil)
            #expect(page.next == nil || !page.items.isEmpty)
            entries += page.items
            cursor = page.next
        } while cursor != nil
        return entries
    }

    private func text(_ entries: [AuditEntry]) -> [String] {
        entries.map { "\($0.author.at.milliseconds) \($0.author.token) \($0.action) \($0.app?.description ?? "") \($0.revision ?? 0)" }
    }

    @Test(arguments: [1, 3, 7, 50]) func `every combination of filters gives full pages of what matches, once`(_ limit: Int) throws {
        let all = try readAll(200, AuditFilter())
        #expect(all.count == 42)
        #expect(all.map(\.author.at) == all.map(\.author.at).sorted(by: >))
        for app in [nil, apps[0], apps[1]] {
            for token in [nil, "ana", "nobody"] {
                for action in [nil, AuditEntry.Action.setPublished, .tokenCreated] {
                    for (from, to) in [(nil, nil), (5, nil), (nil, 9), (5, 9), (9, 9)] as [(Timestamp?, Timestamp?)] {
                        var filter = AuditFilter()
                        (filter.app, filter.token, filter.action, filter.from, filter.to) = (app, token, action, from, to)
                        let expected = all.filter { entry in
                            (app == nil || entry.app == app) && (token == nil || entry.author.token == token)
                                && (action == nil || entry.action == action) && (from.map { entry.author.at >= $0 } ?? true)
                                && (to.map { entry.author.at < $0 } ?? true)
                        }
                        #expect(text(try readAll(limit, filter)) == text(expected), "\(filter)")
                    }
                }
            }
        }
    }

    @Test func `a scope and a filter hold together`() throws {
        var filter = AuditFilter()
        filter.token = "ana"
        let found = try readAll(2, filter, within: .apps([apps[1]]))
        #expect(!found.isEmpty && found.allSatisfy { $0.app == apps[1] && $0.author.token == "ana" })
        filter.app = apps[0]
        #expect(try readAll(2, filter, within: .apps([apps[1]])).isEmpty)
    }

    @Test(arguments: [1, 2, 50]) func `an apply to several apps is found by each of them`(_ limit: Int) throws {
        for (number, names) in [["com.example.a", "com.example.b"], ["com.example.b", "com.example.c"], ["com.example.a"]].enumerated() {
            let trees = names.map { #""\#($0)": {"sets": {"2.0": {"items": [{"id": "n\#(number)", "type": "t", "title": {"en": "T"}}]}}}"# }
            if names.contains("com.example.c") { try store.makeApp("com.example.c", at: 100) }
            let json = try JSON(document: Array(#"{"apps": {\#(trees.joined(separator: ","))}}"#.utf8))
            let stored = try store.apps(PageRequest(), within: .all).items
            let request = try ApplyDocument(json).checked(
                among: Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0) }), ApplyOptions())
            _ = try store.apply(request, dryRun: false, by: author(at: Timestamp(milliseconds: Int64(1000 + number))))
        }
        for (app, times) in [("com.example.a", [1002, 1000]), ("com.example.b", [1001, 1000]), ("com.example.c", [1001])] {
            var filter = AuditFilter()
            filter.app = try appID(app)
            #expect(try readAll(limit, filter).filter { $0.action == .storeApplied }.map(\.author.at.milliseconds) == times.map(Int64.init))
            filter.action = .storeApplied
            #expect(try readAll(limit, filter).map(\.author.at.milliseconds) == times.map(Int64.init))
            filter.action = .appUpdated
            #expect(try readAll(limit, filter).isEmpty)
        }
    }

    @Test func `an entry names what it concerns, and lists find it by that`() throws {
        let hook = Endpoint(
            id: "e", url: try EndpointURL("https://hooks.example.com:8443/secret/path?token=a"), createdAt: 1,
            secrets: SigningSecrets(current: "whsec_a"))
        try store.createEndpoint(hook, by: author(at: 100))
        try store.rotateSecret(of: "e", to: "whsec_b", previousExpiresAt: 1, by: author(at: 101))
        _ = try store.updateEndpoint("e", isEnabling: false, by: author(at: 102)) { endpoint in
            var endpoint = endpoint
            endpoint.description = "The shop"
            return endpoint
        }
        let delivery = try store.ping("e", by: author(at: 103))
        _ = try store.resend(delivery, by: author(at: 104))
        _ = try store.recover("e", since: nil, by: author(at: 105))
        try store.deleteEndpoint("e", by: author(at: 106))
        try store.revokeToken("t4", by: author(at: 107))
        var filter = AuditFilter()
        filter.target = "e"
        #expect(
            try readAll(2, filter).map { "\($0.action.rawValue) \($0.target?.kind.rawValue ?? "") \($0.target?.name ?? "")" } == [
                "webhook.deleted webhook The shop", "webhook.recovered webhook The shop", "webhook.pinged webhook The shop",
                "webhook.updated webhook The shop", "webhook.secret-rotated webhook https://hooks.example.com:8443",
                "webhook.created webhook https://hooks.example.com:8443",
            ])
        filter.target = delivery.description
        #expect(try readAll(2, filter).map(\.target) == [AuditTarget(kind: .delivery, id: delivery.description, name: "webhook.ping")])
        filter.target = "t4"
        let ofToken = try readAll(2, filter)
        #expect(ofToken.map(\.action) == [.tokenRevoked, .tokenCreated])
        #expect(ofToken.allSatisfy { $0.target == AuditTarget(kind: .token, id: "t4", name: "ci") })
        filter.target = "nothing"
        #expect(try readAll(2, filter).isEmpty)
        #expect(
            try readAll(50, AuditFilter()).filter { $0.action == .setPublished }
                .allSatisfy { $0.target?.kind == .set && $0.target?.id == "\($0.app?.description ?? "")/1.0.0/default" })
    }

    @Test func `an entry names its author by ids, and lists find it by them`() throws {
        let author = Author(
            token: "eve", tokenID: "t9", owner: TokenOwner("Eve"), role: .owner, session: "0123456789abcdef", address: "192.0.2.1",
            request: "r", at: 50)
        try store.revokeToken("t8", by: author)
        var filter = AuditFilter()
        filter.tokenID = "t9"
        let entry = try #require(try readAll(1, filter).first)
        #expect((entry.author.tokenID, entry.author.owner, entry.author.role) == ("t9", TokenOwner("eve"), .owner))
        #expect((entry.author.session, entry.author.address) == ("0123456789abcdef", "192.0.2.1"))
        filter.tokenID = "eve"
        #expect(try readAll(1, filter).isEmpty)
    }

    @Test func `settings are told as they were and as they are, without what may be secret`() throws {
        let hook = Endpoint(
            id: "e", url: try EndpointURL("https://hooks.example.com/secret-a?key=secret-b"), types: [.published],
            headers: [Endpoint.Header(name: "X-Key", value: "secret-c")], createdAt: 1, secrets: SigningSecrets(current: "whsec_secret-d"))
        try store.createEndpoint(hook, by: author(at: 100))
        _ = try store.updateEndpoint("e", isEnabling: false, by: author(at: 101)) { endpoint throws(Failure) in
            var endpoint = endpoint
            endpoint.headers = [Endpoint.Header(name: "X-Key", value: "secret-e")]
            endpoint.ordered = true
            return endpoint
        }
        func require(_ approvals: Int64, _ reason: String? = nil) throws {
            _ = try store.putApp(apps[0], override: reason.flatMap { OverrideReason($0) }, by: author(at: 102)) {
                previous throws(Failure) in
                guard let app = previous?.app else { throw .unknownApp(apps[0]) }
                return App(id: app.id, name: "Mail", defaultLanguage: app.defaultLanguage, fallbackURL: nil, approvals: approvals)
            }
        }
        try require(2)
        #expect(failureCode { try require(1) } == .approvalMissing)
        try require(1, "Ben is away")
        try store.createToken(
            Token(
                id: "n", name: "n", role: .editor, scope: .all, createdAt: 1, hash: sha256([1]), owner: TokenOwner("Nora"), createdBy: "m"),
            by: author(at: 104))
        let details = try readAll(50, AuditFilter()).prefix(5).map { String(decoding: $0.detail.json.encoded, as: UTF8.self) }
        #expect(
            details == [
                #"{"after":{"name":"n","owner":"Nora","role":"editor","apps":null,"expiresAt":null,"createdBy":"m"}}"#,
                #"{"reason":"Ben is away","before":{"approvals":2},"after":{"approvals":1}}"#,
                #"{"before":{"name":"Notes","approvals":0},"after":{"name":"Mail","approvals":2}}"#,
                #"{"before":{"headers":["X-Key"],"ordered":false},"after":{"headers":["X-Key"],"ordered":true}}"#,
                #"{"after":{"url":"https://hooks.example.com","types":["shortcuts.published"],"apps":null,"description":null,"headers":["X-Key"],"ordered":false,"enabled":true,"disabledReason":null}}"#,
            ])
        #expect(try store.count("audit", where: "detail LIKE '%secret%'") == 0)
        #expect(try store.count("events", where: "type = 'shortcuts.override' AND body LIKE '%Ben is away%'") == 1)
    }

    @Test(arguments: ["app", "token", "token_id", "action", "target", "time", "nothing"]) func `an index serves each filter`(_ name: String)
        throws
    {
        guard Engine.current == .sqlite else { return }
        var filter = AuditFilter()
        switch name {
        case "app": filter.app = apps[0]
        case "token": filter.token = "ana"
        case "token_id": filter.tokenID = "ana"
        case "action": filter.action = .tokenCreated
        case "target": filter.target = "e"
        case "time": (filter.from, filter.to) = (5, 9)
        default: break
        }
        let query = filter.query(behind: [.integer(.max), .integer(.max)], within: .all, limit: 51)
        let plan = try store.database.read { connection throws(Failure) in
            try connection.rows("EXPLAIN QUERY PLAN \(query.sql)", query.values, as: QueryPlanStep.self)
        }.map(\.detail)
        let index = ["time", "nothing"].contains(name) ? "audit_by_time" : "audit_by_\(name)"
        #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH audit USING INDEX \(index) ("), "\(plan)")
    }
}
