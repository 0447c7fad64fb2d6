import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct ListTests {
    /// Reads a list to its end, with an action between two pages.
    private func readAll<Element>(
        limit: Int, _ part: (PageRequest) throws -> Page<Element>, between: () throws -> Void = {}
    ) throws -> [Element] {
        var (elements, cursor): ([Element], String?) = ([], nil)
        repeat {
            let page = try part(PageRequest(limit: limit, cursor: cursor))
            #expect(page.items.count <= limit)
            elements += page.items
            cursor = page.next
            try between()
        } while cursor != nil
        return elements
    }

    @Test(arguments: [1, 2, 3, 7, 8, 200])
    func `a publish between two parts neither repeats nor drops`(_ limit: Int) throws {
        let store = try Workbench().store
        let app = try store.makeApp()
        for number in 1...7 { try store.publish(try shortcutSet("i\(number)"), of: app) }
        var more = 100
        let numbers = try readAll(limit: limit) {
            try store.revisions(of: app, $0)
        } between: {
            more += 1
            try store.publish(try shortcutSet("i\(more)"), of: app)
        }
        #expect(numbers.map(\.number) == [7, 6, 5, 4, 3, 2, 1])
    }

    @Test(arguments: [1, 2, 5, 50])
    func `sets come by audience and version`(_ limit: Int) throws {
        let store = try Workbench().store
        let app = try store.makeApp()
        let guest = try #require(Audience("guest"))
        for text in ["10.0", "2.0", "2.10", "2.9"] {
            try store.publish(try shortcutSet("a"), text, of: app, audience: guest)
            try store.publish(try shortcutSet("a"), text, of: app)
        }
        let versions = ["2.0.0", "2.9.0", "2.10.0", "10.0.0"]
        let all = try readAll(limit: limit) { try store.sets(of: app, audience: nil, $0) }
        #expect(
            all.map { "\($0.audience) \($0.set.version)" } == versions.map { "default \($0)" }
                + versions.map { "guest \($0)" })
        let guests = try readAll(limit: limit) { try store.sets(of: app, audience: guest, $0) }
        #expect(guests.map(\.set.version.description) == versions)
    }

    @Test(arguments: [1, 2, 50])
    func `a scope sees its own apps, tokens, webhooks and audit`(_ limit: Int) throws {
        let store = try Workbench().store
        let apps = try ["a", "b", "c"].map { try store.makeApp($0) }
        let scopes: [Scope] = [.all, .apps([apps[0]]), .apps([apps[0], apps[2]]), .apps([apps[1]]), .apps([])]
        for (index, scope) in scopes.enumerated() {
            let token = Token(
                id: "t\(index)", name: "t\(index)", role: .reader, scope: scope, createdAt: 5,
                hash: Array(repeating: 1, count: 32))
            try store.createToken(token, by: author())
            let apps: [AppID]? = if case .apps(let apps) = scope { apps.sorted() } else { nil }
            try store.createEndpoint(endpoint("e\(index)", apps: apps), by: author())
        }
        let scope = Scope.apps([apps[0], apps[2]])
        #expect(try readAll(limit: limit) { try store.apps($0, within: scope) }.map(\.id) == [apps[0], apps[2]])
        #expect(try readAll(limit: limit) { try store.tokens($0, within: scope) }.map(\.id) == ["t1", "t2", "t4"])
        #expect(try readAll(limit: limit) { try store.endpoints($0, within: scope) }.map(\.id) == ["e1", "e2", "e4"])
        #expect(try readAll(limit: limit) { try store.audit($0, within: scope) }.map(\.app) == [apps[2], apps[0]])
        #expect(try readAll(limit: limit) { try store.audit($0, within: .apps([])) }.isEmpty)
        #expect(try readAll(limit: limit) { try store.audit($0, within: .all) }.count == 13)
        #expect(try readAll(limit: limit) { try store.tokens($0, within: .all) }.map(\.scope) == scopes)
    }

    @Test(arguments: [1, 2, 3, 50]) func `apps are found by a part of their id or name, in three orders`(_ limit: Int) throws {
        let store = try Workbench().store
        let apps: [(String, String?)] = [
            ("com.example.zoo", "Äpfel"), ("com.example.mail", "zebra"), ("com.example.B", "Mail"), ("org.notes", nil), ("org.last", "a"),
        ]
        for (id, name) in apps {
            let app = App(
                id: try appID(id), name: name.map { Text($0) }, defaultLanguage: try #require(LanguageTag("en")), fallbackURL: nil)
            _ = try store.putApp(app.id, by: author()) { _ throws(Failure) in app }
        }
        for (time, id) in [(10, "org.notes"), (20, "com.example.zoo"), (30, "com.example.B"), (30, "com.example.mail"), (40, "org.notes")] {
            try store.publish(try shortcutSet("at\(time)"), of: try appID(id), at: Timestamp(milliseconds: Int64(time)))
        }
        func list(_ text: String, _ order: AppQuery.Order, between: () throws -> Void = {}) throws -> [String] {
            try readAll(limit: limit, { try store.apps($0, matching: AppQuery(text, by: order), within: .all) }, between: between)
                .map(\.id.description)
        }
        #expect(try list("", .id) == ["com.example.B", "com.example.mail", "com.example.zoo", "org.last", "org.notes"])
        #expect(try list("MAIL", .id) == ["com.example.B", "com.example.mail"])
        #expect(try list("äpf", .name) == ["com.example.zoo"])
        #expect(try list("%", .id) == [] && list("_", .id) == [])
        #expect(try list("", .name) == ["org.last", "com.example.B", "org.notes", "com.example.mail", "com.example.zoo"])
        let byTime = ["org.notes", "com.example.B", "com.example.mail", "com.example.zoo", "org.last"]
        #expect(try list("", .publishedAt) == byTime)
        #expect(try list("example", .publishedAt) == Array(byTime[1...3]))
        // The order at the time of the first page, whatever is published since. The store's clock does not advance.
        var time: Int64 = 1_800_000_000_001
        let again = try list("", .publishedAt) {
            time += 1
            for (id, _) in apps { try store.publish(try shortcutSet("at\(time)"), of: try appID(id), at: Timestamp(milliseconds: time)) }
        }
        #expect(again == byTime)
    }

    @Test(arguments: [1, 2, 50]) func `revisions of a version or of an audience`(_ limit: Int) throws {
        let store = try Workbench().store
        let app = try store.makeApp()
        let guest = try #require(Audience("guest"))
        for (number, text) in ["1.0", "2.0", "1.0", "3.0", "2.0", "1.0"].enumerated() {
            for audience in [.default, guest] {
                try store.publish(try shortcutSet("i\(number)"), text, of: app, audience: audience)
            }
        }
        let all = try readAll(limit: 50) { try store.revisions(of: app, $0) }
        for version in [nil, try version("1.0"), try version("3.0"), try version("9.0")] {
            for audience in [nil, Audience.default, guest, Audience("member")] {
                let found = try readAll(limit: limit) { try store.revisions(of: app, version: version, audience: audience, $0) }
                let expected = all.filter { (version ?? $0.version) == $0.version && (audience ?? $0.audience) == $0.audience }
                #expect(found.map(\.number) == expected.map(\.number))
            }
        }
    }

    @Test(arguments: ["", "x", "%%%", "YXBwcw", "c2V0cwphCmI", "YXBwcwoA"])
    func `a cursor of another list or of nobody is refused`(_ cursor: String) throws {
        let store = try Workbench().store
        let app = try store.makeApp()
        let request = PageRequest(limit: 1, cursor: cursor)
        #expect(failureCode { _ = try store.revisions(of: app, request) } == .invalidParameter)
        #expect(failureCode { _ = try store.audit(request, within: .all) } == .invalidParameter)
        #expect(failureCode { _ = try store.apps(request, within: .all) } == .invalidParameter)
    }
}
