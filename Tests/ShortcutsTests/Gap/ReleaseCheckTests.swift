import Foundation
import QuickActions
import Testing

@testable import Shortcuts

@Suite struct ReleaseCheckTests {
    private static let stored =
        #"{"staticItems":[{"type":"s","title":"S"}],"urlSchemes":["notes"],"assets":{"images":["Known"],"symbols":[]}}"#

    /// The findings if `a`, `b` and `c` were published before.
    private struct Reader: AppReader {
        let published: Set<ItemID>

        init() throws { published = Set(try ["a", "b", "c"].map(id)) }

        func snapshot(of id: AppID) -> AppSnapshot? { nil }
        func publishedIDs(among ids: Set<ItemID>, in audience: Audience, of app: AppID) -> Set<ItemID> {
            ids.intersection(published)
        }
        func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) -> Draft? { nil }
    }

    /// 1.0 has `a` and `b`; 2.0 replaces `a`. The release 2.0.0+7 is stored.
    private func snapshot() throws -> AppSnapshot {
        try ShortcutsTests.snapshot(
            [try timeline(["1.0": "a b", "2.0": "c<a b"])], releases: [try release("2.0+7", Self.stored)], app: try app(name: "Notes"))
    }

    private func findings(_ body: String) throws -> ReleaseCheck.Findings {
        let (candidate, set) = try ReleaseCheckDocument(try read(body)).checked()
        return try Reader().findings(on: candidate, in: try snapshot()) { () throws(Failure) in set }
    }

    private func found(_ body: String) throws -> [String] {
        let findings = try findings(body)
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
        #expect(Set(findings.warnings.map { "\($0.path): \($0.code)" }) == ["items: over-budget", "items[0].url: scheme-undeclared"])
        #expect(findings.warnings.allSatisfy { $0.message.contains("elease 2.1.0+512") })
    }

    @Test func `a warning is new unless the published set has it`() throws {
        func marked(_ body: String) throws -> [String] { try findings(body).warnings.map { ($0.isNew ? "+" : "") + $0.code } }
        // The set in effect is compared with itself, a given one with the published set of its version.
        #expect(try marked(#"{"version":"2.0","assets":{"images":[]}}"#) == [])
        #expect(try marked(sent(#""title":{"en":"B 📝","ko":"B"}"#)) == ["+title-emoji", "+title-language-missing"])
        let budget = #""staticItems":[{"type":"1","title":"1"},{"type":"2","title":"2"},{"type":"3","title":"3"}]"#
        let snapshot = try ShortcutsTests.snapshot([try timeline(["2.0": "c b"])], releases: [try release("2.0", "{\(budget)}")])
        let candidate = ReleaseCandidate(id: try build("2.0"), audience: .default, infoPlist: nil, assets: nil)
        for proposal in [ReleaseCheck.Proposal.inEffect, .set(try sketch("c b d"))] {
            let findings = try ReleaseCheck(of: candidate, by: proposal, in: snapshot).findings { ids, _ in ids }
            #expect(findings.warnings.map(\.code) == ["over-budget"] && findings.warnings.allSatisfy { !$0.isNew })
        }
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
        #expect(failure { try ReleaseCheckDocument(try read(body)).checked() }?.found == expected)
    }

    @Test func `an audience without a timeline is checked with the default set`() throws {
        #expect(try found(#"{"version":"2.0","audience":"guest"}"#) == [])
        // A set in a new audience begins a new timeline, without published ids.
        let first = #"{"version":"2.0","audience":"guest","set":{"items":[{"id":"a","type":"t","title":{"en":"A"}}]}}"#
        #expect(try found(first) == [])
    }

    @Test func `a stored set is validated again`() throws {
        let candidate = ReleaseCandidate(id: try build("3.0"), audience: .default, infoPlist: nil, assets: nil)
        func found(_ words: String, language: String) throws -> [String] {
            let snapshot = AppSnapshot(
                app: try app(language: language), timelines: try snapshot().timelines, releases: [])
            let findings = try ReleaseCheck(of: candidate, by: .set(try sketch(words)), in: snapshot).findings { ids, _ in ids }
            return findings.violations.map { "\($0.path)!\($0.code)" } + findings.warnings.map { "\($0.path): \($0.code)" }
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
