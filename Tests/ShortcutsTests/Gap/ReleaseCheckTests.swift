import Foundation
import QuickActions
import Testing

@testable import Shortcuts

@Suite struct ReleaseCheckTests {
    private static let stored =
        #"{"staticItems":[{"type":"s","title":"S"}],"urlSchemes":["notes"],"assets":{"images":["Known"],"symbols":[]}}"#

    /// A store in which `a`, `b` and `c` were published before.
    private struct Reader: AppReader {
        let app: AppSnapshot?
        let published: Set<ItemID>

        init(_ app: AppSnapshot?) throws {
            self.app = app
            published = Set(try ["a", "b", "c"].map(id))
        }

        func snapshot(of id: AppID) -> AppSnapshot? { app }
        func publishedIDs(among ids: Set<ItemID>, in audience: Audience, of app: AppID) -> Set<ItemID> {
            ids.intersection(published)
        }
        func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) -> Draft? { nil }
    }

    private struct Found: Equatable {
        let set: String?
        let path: String
        let code: String
        let message: String
        let isNew: Bool?

        init(_ json: JSON) {
            func text(_ name: Text) -> String? { if case .string(let text)? = json[name] { text.string } else { nil } }
            (set, path, code, message) = (text("set"), text("path") ?? "", text("code") ?? "", text("message") ?? "")
            isNew = if case .boolean(let value)? = json["new"] { value } else { nil }
        }
    }

    /// 1.0 has `a` and `b`; 2.0 replaces `a`. The release 2.0.0+7 is stored.
    private func snapshot() throws -> AppSnapshot {
        try ShortcutsTests.snapshot(
            [try timeline(["1.0": "a b", "2.0": "c<a b"])], releases: [try release("2.0+7", Self.stored)], app: try app(name: "Notes"))
    }

    private func findings(_ body: String, in snapshot: AppSnapshot? = nil) throws -> (violations: [Found], warnings: [Found]) {
        let app = try snapshot ?? self.snapshot()
        let answer = try Reader(app).check(try read(body), of: app.app.id).json
        func list(_ name: Text) -> [Found] { if case .array(let elements)? = answer[name] { elements.map(Found.init) } else { [] } }
        return (list("violations"), list("warnings"))
    }

    private func found(_ body: String, in snapshot: AppSnapshot? = nil) throws -> [String] {
        let findings = try findings(body, in: snapshot)
        return findings.violations.map { "\($0.path)!\($0.code)" } + findings.warnings.map { "\($0.path): \($0.code)" }
    }

    private func sent(_ members: String, version: String = "2.0") -> String {
        #"{"version":"\#(version)","set":{"items":[{"id":"b","type":"t",\#(members)},{"id":"c","type":"t","title":{"en":"C"},"replaces":["a"]}]}}"#
    }

    @Test(arguments: [
        (#""title":{"en":"B"}"#, []),
        (#""title":{"en":"B 📝"}"#, ["items[0].title.en: title-emoji"]),
        (#""title":{"en":"Notes"}"#, ["items[0].title.en: title-app-name"]),
        (#""title":{"en":"B"},"url":"x:y""#, ["items[0].url: scheme-undeclared"]),
        (#""title":{"en":"B"},"icon":{"file":"F"}"#, ["items[0].icon.file: asset-missing"]),
        (#""title":{"en":"B"},"icon":{"file":"Known"},"url":"Notes://b""#, []),
        (#""title":{"en":"B"},"replaces":["zz"]"#, ["items[0].replaces[0]: unknown-id"]),
        (#""title":{"en":"B","ko":"K"}"#, ["items[1].title.ko: title-language-missing"]),
        (#""title":{"en":"B","ko":"K"},"enabled":false"#, []),
        (#""title":{"ko":"K"},"userInfo":{"a":null}"#, ["items[0].title.en!title-missing", "items[0].userInfo.a!userinfo-null"]),
    ])
    func `checks the given set`(members: String, expected: [String]) throws {
        #expect(try found(sent(members)).sorted() == expected.sorted())
    }

    @Test(arguments: [
        // An id that 2.0 replaces is reused later; an id of 1.0 is retired below it.
        (
            #"{"version":"3.0","set":{"items":[{"id":"a","type":"t","title":{"en":"A"}}]}}"#,
            ["items[0].id!id-reused", "items: id-dropped", "items: id-dropped"]
        ),
        (#"{"version":"0.5","set":{"items":[],"retired":[{"id":"b"}]}}"#, ["!id-reused", "!id-reused"]),
        (#"{"version":"2.0","set":{"items":[]}}"#, ["items: id-dropped", "items: id-dropped", "items: id-dropped"]),
        (#"{"version":"2.0","set":"x"}"#, ["!type-mismatch"]),
        (#"{"version":"0.5"}"#, ["!no-shortcut-set"]),
        // The set in effect, without a draft.
        (#"{"version":"2.5"}"#, []), (#"{"version":"2.0","set":null}"#, []),
    ])
    func `checks ids against the timeline`(body: String, expected: [String]) throws {
        #expect(try found(body) == expected)
    }

    @Test(arguments: [
        // The version has no release: static items of the previous release, and no warnings about schemes and assets.
        (
            #"{"version":"3.0","set":{"items":[{"id":"b","type":"t","title":{"en":"B"},"url":"x:y","icon":{"file":"F"}},{"id":"c","type":"t","title":{"en":"C"}}]}}"#,
            []
        ),
        // Assets only, without a plist.
        (
            #"{"version":"3.0","assets":{"images":["G"]},"set":{"items":[{"id":"b","type":"t","title":{"en":"B"},"url":"x:y","icon":{"file":"F"}},{"id":"c","type":"t","title":{"en":"C"}}]}}"#,
            ["items[0].icon.file: asset-missing"]
        ),
        // Assets instead of the stored ones.
        (
            #"{"version":"2.0","assets":{"images":["F"]},"set":{"items":[{"id":"b","type":"t","title":{"en":"B"},"url":"x:y","icon":{"file":"F"}},{"id":"c","type":"t","title":{"en":"C"},"replaces":["a"]}]}}"#,
            ["items[0].url: scheme-undeclared"]
        ),
        (
            #"{"version":"2.0","set":{"items":[{"id":"b","type":"s","title":{"en":"S"}},{"id":"c","type":"t","title":{"en":"C"},"replaces":["a"]}]}}"#,
            ["items[0]: static-twin"]
        ),
    ])
    func `takes from the store what is not given`(body: String, expected: [String]) throws {
        #expect(try found(body) == expected)
    }

    @Test func `checks with the given release only`() throws {
        let set =
            #"{"items":[{"id":"b","type":"t","title":{"en":"B"},"url":"notes://b","icon":{"file":"F"}},{"id":"d","type":"t","title":{"en":"D"}},{"id":"e","type":"t","title":{"en":"E"}}],"retired":[{"id":"a"},{"id":"c"}]}"#
        let plist = base64(try InfoPlistTests.bytes(["CFBundleURLTypes": [["CFBundleURLSchemes": ["other"]]] as [[String: any Sendable]]]))
        let body = #"{"version":"2.1","infoPlist":"\#(plist)","assets":{"images":["F"]},"set":\#(set)}"#
        let findings = try findings(body)
        #expect(findings.violations.isEmpty)
        #expect(
            Set(findings.warnings.map { "\($0.path): \($0.code)" }) == [
                "items: over-budget", "items[0].url: scheme-undeclared", "staticItems[0].icon.symbol: symbol-unknown",
            ])
        #expect(findings.warnings.filter { $0.set != nil }.allSatisfy { $0.message.contains("elease 2.1.0+512") })
    }

    @Test func `a warning is new unless the published menu has it on the release before`() throws {
        func marked(_ body: String, in app: AppSnapshot? = nil) throws -> [String] {
            try findings(body, in: app).warnings.map { ($0.isNew == true ? "+" : "") + $0.code }
        }
        #expect(try marked(#"{"version":"2.0","assets":{"images":[]}}"#) == [])
        #expect(try marked(sent(#""title":{"en":"B 📝","ko":"B"}"#)) == ["+title-emoji", "+title-language-missing"])
        let budget = #""staticItems":[{"type":"1","title":"1"},{"type":"2","title":"2"},{"type":"3","title":"3"}]"#
        let crowded = try ShortcutsTests.snapshot([try timeline(["2.0": "c b"])], releases: [try release("2.0", "{\(budget)}")])
        // No earlier release is known: only the menus are compared.
        #expect(try marked(#"{"version":"2.0"}"#, in: crowded) == ["over-budget"])
        for version in ["2.0", "2.1"] {
            let body = #"{"version":"\#(version)","set":\#(try sketch("c b d").json.text)}"#
            #expect(try marked(body, in: crowded) == ["over-budget"])
        }
        // The candidate loses an image that the release before it has, and keeps an undeclared scheme.
        let item = #"{"id":"a","type":"t","title":{"en":"A"},"icon":{"file":"F"},"url":"x:y"}"#
        let live = #"{"urlSchemes":[],"assets":{"images":["F"],"symbols":[]}}"#
        let known = try ShortcutsTests.snapshot(
            [
                Timeline(
                    audience: .default,
                    sets: [
                        PublishedSet(
                            version: try version("1.0"), revision: 1, publishedAt: author.at, by: "ci",
                            set: try set(#"{"items":[\#(item)]}"#))
                    ])
            ], releases: [try release("1.0", live)])
        let plist = base64(try InfoPlistTests.bytes())
        let body = #"{"version":"2.1","infoPlist":"\#(plist)","assets":{"images":[]}}"#
        #expect(try marked(body, in: known) == ["+symbol-unknown", "+asset-missing", "scheme-undeclared"])
    }

    @Test func `violations of the plist are listed with those of the set`() throws {
        let plist = base64(try InfoPlistTests.bytes(["CFBundleIdentifier": "other"]))
        #expect(
            try found(#"{"version":"2.0","infoPlist":"\#(plist)","set":{"items":[{"id":"b"}]}}"#) == [
                "CFBundleIdentifier!bundle-mismatch", "CFBundleShortVersionString!version-mismatch", "items[0].type!required",
                "items[0].title!required",
            ])
        #expect(try found(#"{"version":"2.0","infoPlist":"AAAA"}"#) == ["infoPlist!bad-request"])
    }

    @Test func `base64 may be broken into lines`() throws {
        let plist = base64(try InfoPlistTests.bytes())
        let broken = plist.enumerated().map { $0 % 76 == 75 ? "\($1)\\n" : "\($1)" }.joined()
        #expect(broken != plist)
        #expect(try findings(#"{"version":"2.1","infoPlist":"\#(broken)"}"#).violations.isEmpty)
    }

    @Test(arguments: [
        ("[]", [": type-mismatch"]), ("{}", ["version: required"]), (#"{"version":"1-a"}"#, ["version: invalid-version"]),
        (#"{"version":2}"#, ["version: type-mismatch"]), (#"{"version":"1","x":1}"#, ["x: unknown-member"]),
        (#"{"version":"1","audience":"A"}"#, ["audience: audience-invalid"]),
        (#"{"version":"1","infoPlist":"*","assets":{"icons":[]}}"#, ["infoPlist: data-invalid", "assets.icons: unknown-member"]),
    ])
    func `refuses an invalid body`(body: String, expected: [String]) throws {
        #expect(failure { _ = try ReleaseCheckDocument(try read(body)).checked() }?.found == expected)
    }

    @Test func `every audience is checked unless one is named`() throws {
        let dropping = try ShortcutsTests.snapshot([
            try timeline(["1.0": "a", "2.0": "a"]),
            try timeline(["2.0": "b"], audience: try #require(Audience("member")), firstRevision: 3),
        ])
        let beta = #"{"version":"2.0","audience":"membr"}"#
        let member = #"{"version":"2.0","assets":{"images":[]},"audience":"member"}"#
        #expect(try findings(#"{"version":"1.0"}"#, in: dropping).violations.map(\.set) == ["1.0.0@member"])
        #expect(try found(member, in: dropping) == [])
        #expect(failure { try findings(beta, in: dropping) }?.violations.first?.message.contains(#"Did you mean "member"?"#) == true)
        // A new audience is checked from a tree.
        let first = #"{"version":"2.0","audience":"guest","set":{"items":[{"id":"a","type":"t","title":{"en":"A"}}]}}"#
        #expect(failure { try findings(first) }?.violations.map(\.code) == ["unknown-audience"])
        let tree =
            #"{"version":"2.0","audience":"guest","tree":{"sets":{"2.0@guest":{"items":[{"id":"a","type":"t","title":{"en":"A"}}]}}}}"#
        #expect(try found(tree) == [])
    }

    @Test func `a tree is checked before it is applied`() throws {
        func tree(_ sets: String, version: String = "2.5") -> String { #"{"version":"\#(version)","tree":{"sets":{\#(sets)}}}"# }
        func items(_ ids: String...) -> String {
            let items = ids.map { #"{"id":"\#($0)","type":"t","title":{"en":"T"},"url":"x:y"}"# }
            return #"{"items":[\#(items.joined(separator: ","))],"retired":[]}"#
        }
        let member = #""2.0@member":\#(items("b"))"#
        #expect(try findings(tree(member)).violations.isEmpty)
        #expect(try findings(tree(member)).warnings.map { "\($0.set ?? "") \($0.code)" } == ["2.0.0@member scheme-undeclared"])
        // The set in effect for the release counts, also if the tree does not have it.
        #expect(try findings(tree(#""1.0":\#(items("b"))"#)).warnings.isEmpty)
        #expect(
            try found(tree(#""2.5":\#(items("a"))"#)) == [
                "items[0].id!id-reused", "items: id-dropped", "items: id-dropped",
            ])
        #expect(
            try found(tree(#""2.0":{"items":[{"id":"b"}]}"#)) == [
                #"tree.sets["2.0"].items[0].type!required"#, #"tree.sets["2.0"].items[0].title!required"#,
            ])
        let described = #"{"version":"1.0","tree":{"app":{"defaultLanguage":"en"},"sets":{"1.0":\#(items("b"))}}}"#
        let answer = try Reader(nil).check(try read(described), of: try app().id)
        #expect(answer.json["violations"]?.text == "[]")
        #expect(failure { try Reader(nil).check(try read(tree("")), of: try app().id) }?.code == .unknownApp)
    }

    @Test(arguments: [
        ("square.and.pencil", "[]", "13.0", nil), ("square.and.pencl", "[]", "13.0", #"symbol-unknown "square.and.pencil""#),
        ("Own", #"["Own"]"#, "13.0", nil), ("service.dog", "[]", "26.0", nil), ("service.dog", "[]", "18.4", "symbol-too-new iOS 26.0"),
        ("wrench.adjustable", "[]", "15.0", #"symbol-too-new "wrench""#),
        ("dot.circle", "[]", "13.0", #"symbol-unknown "smallcircle.filled.circle""#),
    ])
    func `symbols are known`(symbol: String, own: String, system: String, expected: String?) throws {
        let release = try release("2.0", #"{"minimumOSVersion":"\#(system)","assets":{"images":[],"symbols":\#(own)}}"#)
        let item = #"{"id":"a","type":"t","title":{"en":"A"},"icon":{"symbol":"\#(symbol)"}}"#
        let app = try ShortcutsTests.snapshot([try timeline(["1.0": "a"])], releases: [release])
        let found = try findings(#"{"version":"2.0","set":{"items":[\#(item)]}}"#, in: app)
        let words = expected?.split(separator: " ", maxSplits: 1).map(String.init)
        #expect(found.violations.isEmpty && found.warnings.map(\.code) == (words.map { [$0[0]] } ?? []))
        #expect(found.warnings.allSatisfy { $0.message.contains(words?[1] ?? "") }, "\(found.warnings)")
    }

    @Test(arguments: [
        (#"{"app":"com.example.notes","version":"2.0.0","audience":"default","revision":2}"#, []),
        (#"{"app":"com.example.notes","version":"2.0.0","audience":"default","revision":1}"#, ["bundled[0]: bundled-outdated"]),
        (
            #"{"app":"other","version":"1.9","audience":"gone","revision":2}"#,
            ["bundled[0]!bundled-mismatch", "bundled[0]!bundled-mismatch", "bundled[0]!bundled-mismatch"]
        ),
        // Of every audience.
        (#"{"app":"com.example.notes","version":"2.0.0","audience":"default","revision":2,"audiences":{}}"#, []),
        (
            #"{"app":"com.example.notes","version":"2.0.0","audience":"default","revision":1,"audiences":{"vip":null}}"#,
            [
                "bundled[0]: bundled-outdated"
            ]
        ),
        (
            #"{"app":"com.example.notes","version":"2.0.0","audience":"default","revision":2,"audiences":{"gone":{"app":"com.example.notes","version":"1.0","audience":"gone","revision":2}}}"#,
            ["bundled[0].audiences.gone!bundled-mismatch", "bundled[0].audiences.gone!bundled-mismatch"]
        ),
    ])
    func `the bundled menu is compared`(bundle: String, expected: [String]) throws {
        #expect(try found(#"{"version":"2.0","bundled":[\#(bundle)]}"#) == expected)
    }

    @Test func `a bundle of every audience lacks none`() throws {
        let member = try #require(Audience("member"))
        let app = try ShortcutsTests.snapshot(
            [try timeline(["1.0": "a"]), try timeline(["1.0": "b", "3.0": "c"], audience: member, firstRevision: 7)],
            app: try app(name: "Notes"))
        func found(_ audiences: String) throws -> [String] {
            let bundle = #"{"app":"com.example.notes","version":"2.0.0","audience":"default","revision":1\#(audiences)}"#
            return try self.found(#"{"version":"2.0","bundled":[\#(bundle)]}"#, in: app)
        }
        let part = #"{"app":"com.example.notes","version":"2.0.0","audience":"member","revision":7}"#
        #expect(try found(#","audiences":{"member":\#(part)}"#) == [] && found("") == [])
        #expect(try found(#","audiences":{"member":null}"#) == ["bundled[0]: bundled-outdated"])
        #expect(
            try found(#","audiences":{"member":\#(part.replacing(":7", with: ":6"))}"#) == [
                "bundled[0].audiences.member: bundled-outdated"
            ])
        let body =
            #"{"version":"2.0","bundled":[{"app":"com.example.notes","version":"2.0.0","audience":"default","revision":1,"audiences":[1]}]}"#
        #expect(failure { try self.findings(body, in: app) } == nil)
    }

    @Test func `a stored set is validated again`() throws {
        func found(_ words: String, language: String) throws -> [String] {
            let stored = AppSnapshot(app: try app(language: language), timelines: try snapshot().timelines, releases: [])
            let draft = Draft(
                version: try version("3.0"), audience: .default, set: try sketch(words), tag: "", savedAt: author.at, savedBy: "ci")
            var check = ReleaseCheck(
                of: ReleaseCandidate(id: try build("3.0"), audience: nil, infoPlist: nil, assets: nil), in: stored
            ) { ids, _ in ids }
            try check.check(.default, by: .draft(draft))
            return check.findings.sets.flatMap { set in
                set.violations.map { "\($0.path)!\($0.code)" } + set.warnings.map { "\($0.path): \($0.code)" }
            }
        }
        #expect(try found("b c", language: "en") == [])
        #expect(try found("b", language: "en") == ["items: id-dropped"])
        // The app's default language has changed since the draft was saved.
        #expect(
            try found("a b c", language: "ko") == [
                "items[0].title.ko!title-missing", "items[1].title.ko!title-missing", "items[2].title.ko!title-missing",
                "items[0].id!id-reused",
            ])
    }
}
