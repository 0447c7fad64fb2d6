import QuickActions
import Testing

@testable import Shortcuts

@Suite struct ApplyDocumentTests {
    private static let menu = #"{"items":[{"id":"a","type":"t","title":{"en":"A"}}]}"#

    private func request(_ text: String, among apps: [App] = []) throws -> ApplyRequest {
        let stored = Dictionary(uniqueKeysWithValues: apps.map { ($0.id, $0) })
        return try ApplyDocument(try read(text)).checked(among: stored, ApplyOptions())
    }

    /// The violations of a document about the app `x`, which is stored with the default language `en`.
    private func found(_ tree: String) throws -> [String] {
        let stored = App(id: try #require(AppID("x")), name: nil, defaultLanguage: try tag("en"), fallbackURL: nil)
        return failure { try request(#"{"apps":{"x":\#(tree)}}"#, among: [stored]) }?.found ?? []
    }

    @Test(arguments: [
        ("2", "2.0.0 default"), ("2.00.0", "2.0.0 default"), ("2.0.0@default", "2.0.0 default"), ("2.1@member", "2.1.0 member"),
    ])
    func `a set's name is a version in any spelling, and an audience`(_ name: String, _ key: String) throws {
        let app = #"{"app":{"defaultLanguage":"en"},"sets":{"\#(name)":\#(Self.menu)}}"#
        let set = try #require(try request(#"{"apps":{"x":\#(app)}}"#).trees.first?.sets.first)
        #expect("\(set.key.version) \(set.key.audience)" == key)
        #expect(set.path.description == (name == "2" ? "apps.x.sets.2" : #"apps.x.sets["\#(name)"]"#))
    }

    @Test(arguments: [
        (#"{"sets":{"2.0":\#(menu),"2":\#(menu)}}"#, ["apps.x.sets.2: duplicate-id"]),
        (#"{"sets":{"2.0":\#(menu),"2.0@default":\#(menu)}}"#, [#"apps.x.sets["2.0@default"]: duplicate-id"#]),
        (#"{"sets":{"2.0-beta":\#(menu)}}"#, [#"apps.x.sets["2.0-beta"]: invalid-version"#]),
        (#"{"sets":{"2.0+7":\#(menu)}}"#, [#"apps.x.sets["2.0+7"]: invalid-version"#]),
        (#"{"sets":{"2.0@Member":\#(menu)}}"#, [#"apps.x.sets["2.0@Member"]: audience-invalid"#]),
        (#"{"sets":{"2.0@":\#(menu)}}"#, [#"apps.x.sets["2.0@"]: audience-invalid"#]),
        (#"{"sets":{"@":\#(menu)}}"#, [#"apps.x.sets["@"]: invalid-version"#, #"apps.x.sets["@"]: audience-invalid"#]),
        (#"{"sets":{"2.0@a@b":\#(menu)}}"#, [#"apps.x.sets["2.0@a@b"]: audience-invalid"#]),
        (#"{"sets":{"":\#(menu)}}"#, [#"apps.x.sets[""]: invalid-version"#]),
        (#"{"sets":[]}"#, ["apps.x.sets: type-mismatch"]), (#"[]"#, ["apps.x: type-mismatch"]),
        (#"{"set":{}}"#, ["apps.x.set: unknown-member"]),
        (#"{"sets":{"1":{"items":[{"id":"a","type":"t","title":{"ko":"A"}}]}}}"#, ["apps.x.sets.1.items[0].title.en: title-missing"]),
        (#"{"releases":{"1.0":{},"1":{}}}"#, ["apps.x.releases.1: duplicate-id"]),
        (#"{"releases":{"1.0":{"build":"7"},"1+7":{}}}"#, [#"apps.x.releases["1+7"]: duplicate-id"#]),
        (#"{"releases":{"1.0+7":{"build":"8"}}}"#, [#"apps.x.releases["1.0+7"].build: version-mismatch"#]),
        (#"{"releases":{"one":{}}}"#, ["apps.x.releases.one: invalid-version"]),
        (#"{"releases":{"1.0":{"infoPlist":"!"}}}"#, [#"apps.x.releases["1.0"].infoPlist: data-invalid"#]),
        (
            #"{"releases":{"1.0":{"infoPlist":"!","build":"7"}}}"#,
            [#"apps.x.releases["1.0"].build: unknown-member"#, #"apps.x.releases["1.0"].infoPlist: data-invalid"#]
        ),
        (#"{"app":{"defaultLanguage":5}}"#, ["apps.x.app.defaultLanguage: type-mismatch"]),
        (#"{"app":{"defaultLanguage":"en","approvals":6}}"#, ["apps.x.app.approvals: integer-out-of-range"]),
        (#"{"app":{"defaultLanguage":"en","app":"y"}}"#, ["apps.x.app.app: id-invalid"]),
    ])
    func `refuses what is wrong with an app`(_ tree: String, _ expected: [String]) throws {
        #expect(try found(tree) == expected)
    }

    @Test func `all that is wrong is said together, with paths from the root`() throws {
        let bad = #"{"items":[{"id":"a","type":"t","title":{"en":""},"url":"http://x"}]}"#
        let text = """
            {"base":{"y":-1,"none":1,"/":2},"more":1,"apps":{"x":{"sets":{"1":\(bad)}},
             "y":{"app":{"defaultLanguage":"en"},"sets":{"1":{}},"releases":{"1":{"icon":1}}},"no app":{}}}
            """
        let failure = try #require(failure { try request(text) })
        #expect(failure.code == .invalidDocument)
        #expect(
            failure.found == [
                "more: unknown-member", "apps.x.sets.1.items[0].title.en: title-empty", "apps.x.sets.1.items[0].url: url-scheme",
                "apps.y.sets.1.items: required", "apps.y.releases.1.icon: unknown-member", #"apps["no app"]: id-invalid"#,
                "base.y: integer-out-of-range", "base.none: unknown-member", #"base["/"]: id-invalid"#,
            ])
    }

    @Test(arguments: [#"[]"#, #"{}"#, #"{"apps":null}"#, #"{"apps":[]}"#, #"{"apps":{},"base":[]}"#])
    func `refuses what is no document of apps`(_ text: String) throws {
        #expect(failure { try request(text) }?.code == .invalidDocument)
    }

    @Test func `five thousand sets and releases are taken, a thousand sets of one app, and no more`() throws {
        func document(_ apps: Int, _ sets: Int, _ releases: Int = 0) -> String {
            let sets = (0..<sets).map { #""\#($0)":{"items":[]}"# }.joined(separator: ",")
            let releases = (0..<releases).map { #""\#($0)":{}"# }.joined(separator: ",")
            let tree = #"{"app":{"defaultLanguage":"en"},"sets":{\#(sets)},"releases":{\#(releases)}}"#
            return #"{"apps":{\#((0..<apps).map { #""x\#($0)":\#(tree)"# }.joined(separator: ","))}}"#
        }
        #expect(try request(document(5, 1000)).trees.map(\.sets.count) == Array(repeating: 1000, count: 5))
        #expect(failure { try request(document(5, 999, 2)) }?.found == ["apps: too-many-items"])
        #expect(failure { try request(document(1, 1001)) }?.found == ["apps.x0.sets: too-many-items"])
    }

    @Test func `titles are needed in the language that the app's document names`() throws {
        let tree = #"{"app":{"defaultLanguage":"ko"},"sets":{"1":\#(Self.menu)}}"#
        #expect(try found(tree) == ["apps.x.sets.1.items[0].title.ko: title-missing"])
    }

    @Test func `an app that is neither stored nor described is unknown`() throws {
        let document = ApplyDocument(try read(#"{"apps":{"x":{"sets":{}},"y":{"app":{"defaultLanguage":"en"}}}}"#))
        #expect(failure { try document.requireKnownApps(among: [:]) }?.code == .unknownApp)
        let stored = App(id: try #require(AppID("x")), name: nil, defaultLanguage: try tag("en"), fallbackURL: nil)
        #expect(failure { try document.requireKnownApps(among: [stored.id: stored]) } == nil)
    }

    @Test(arguments: [
        (#"{"defaultLanguage":"en","name":"X"}"#, false), (#"{"defaultLanguage":"EN","name":"X","fallbackURL":null,"app":"x"}"#, false),
        (#"{"defaultLanguage":"en","name":"X","approvals":2}"#, false), (#"{"defaultLanguage":"en"}"#, true),
        (#"{"defaultLanguage":"en","name":"X","approvals":0}"#, true), (#"{"name":"X"}"#, true), ("null", false), ("5", true),
    ])
    func `an app's document changes it, or says what is stored`(_ document: String, _ isChange: Bool) throws {
        let stored = App(id: try #require(AppID("x")), name: "X", defaultLanguage: try tag("en"), fallbackURL: nil, approvals: 2)
        let changed = ApplyDocument(try read(#"{"apps":{"x":{"app":\#(document)}}}"#)).changedApps(among: [stored.id: stored])
        #expect(changed == (isChange ? [stored.id] : []))
    }
}
