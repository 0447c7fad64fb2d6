import Foundation
import QuickActions
import Testing

@testable import Shortcuts

@Suite struct ReleaseCheckTests {
    private static let stored =
        #"{"staticItems":[{"type":"s","title":"S"}],"urlSchemes":["notes"],"assets":{"images":["Known"],"symbols":[]}}"#

    /// Where `a`, `b` and `c` were ever published.
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
    func `judges the set that is given`(members: String, expected: [String]) throws {
        #expect(try found(sent(members)).sorted() == expected.sorted())
    }

    @Test(arguments: [
        // What 2.0 replaced does not come back later; what 1.0 has is not retired before it.
        (
            #"{"version":"3.0","set":{"items":[{"id":"a","type":"t","title":{"en":"A"}}]}}"#,
            ["items[0].id!id-reused", "items: id-dropped", "items: id-dropped"]
        ),
        (#"{"version":"0.5","set":{"items":[],"retired":[{"id":"b"}]}}"#, ["!id-reused", "!id-reused"]),
        (#"{"version":"2.0","set":{"items":[]}}"#, ["items: id-dropped", "items: id-dropped", "items: id-dropped"]),
        (#"{"version":"2.0","set":"x"}"#, ["!type-mismatch"]),
        (#"{"version":"0.5"}"#, ["!no-shortcut-set"]),
        // The set in effect, and no draft beside it.
        (#"{"version":"2.5"}"#, []), (#"{"version":"2.0","set":null}"#, []),
    ])
    func `judges ids by the timeline`(body: String, expected: [String]) throws {
        #expect(try found(body) == expected)
    }

    @Test(arguments: [
        // Nothing known of the version: static items of the release before, no word about schemes and assets.
        (
            #"{"version":"3.0","set":{"items":[{"id":"b","type":"t","title":{"en":"B"},"url":"x:y","icon":{"file":"F"}},{"id":"c","type":"t","title":{"en":"C"}}]}}"#,
            []
        ),
        // Assets of a version of which no plist is known.
        (
            #"{"version":"3.0","assets":{"images":["G"]},"set":{"items":[{"id":"b","type":"t","title":{"en":"B"},"url":"x:y","icon":{"file":"F"}},{"id":"c","type":"t","title":{"en":"C"}}]}}"#,
            ["items[0].icon.file: asset-missing"]
        ),
        // Assets take the place of those that are stored.
        (
            #"{"version":"2.0","assets":{"images":["F"]},"set":{"items":[{"id":"b","type":"t","title":{"en":"B"},"url":"x:y","icon":{"file":"F"}},{"id":"c","type":"t","title":{"en":"C"},"replaces":["a"]}]}}"#,
            ["items[0].url: scheme-undeclared"]
        ),
        (
            #"{"version":"2.0","set":{"items":[{"id":"b","type":"s","title":{"en":"S"}},{"id":"c","type":"t","title":{"en":"C"},"replaces":["a"]}]}}"#,
            ["items[0]: static-twin"]
        ),
    ])
    func `what is not given is what is stored`(body: String, expected: [String]) throws {
        #expect(try found(body) == expected)
    }

    @Test func `the release that is given is the only one that has a say`() throws {
        let set =
            #"{"items":[{"id":"b","type":"t","title":{"en":"B"},"url":"notes://b","icon":{"file":"F"}},{"id":"d","type":"t","title":{"en":"D"}},{"id":"e","type":"t","title":{"en":"E"}}],"retired":[{"id":"a"},{"id":"c"}]}"#
        let plist = base64(try InfoPlistTests.bytes(["CFBundleURLTypes": [["CFBundleURLSchemes": ["other"]]] as [[String: any Sendable]]]))
        let body = #"{"version":"2.1","infoPlist":"\#(plist)","assets":{"images":["F"]},"set":\#(set)}"#
        let findings = try findings(body)
        #expect(findings.violations.isEmpty)
        #expect(Set(findings.warnings.map { "\($0.path): \($0.code)" }) == ["items: over-budget", "items[0].url: scheme-undeclared"])
        #expect(findings.warnings.allSatisfy { $0.message.contains("elease 2.1.0+512") })
    }

    @Test func `a warning is new where the set that stands does not have it`() throws {
        func marked(_ body: String) throws -> [String] { try findings(body).warnings.map { ($0.isNew ? "+" : "") + $0.code } }
        // The set in effect is what stands; another one is beside what stands in its place.
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

    @Test func `a plist of another release is told beside what is wrong with the set`() throws {
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
    func `a body that cannot be read is refused`(body: String, expected: [String]) throws {
        #expect(failure { try ReleaseCheckDocument(try read(body)).checked() }?.found == expected)
    }

    @Test func `an audience without a timeline is judged by the set that it is served`() throws {
        #expect(try found(#"{"version":"2.0","audience":"guest"}"#) == [])
        // A set of its own begins a timeline in which no id was ever used.
        let first = #"{"version":"2.0","audience":"guest","set":{"items":[{"id":"a","type":"t","title":{"en":"A"}}]}}"#
        #expect(try found(first) == [])
    }

    @Test func `a set that was checked before is judged as it would be published now`() throws {
        let candidate = ReleaseCandidate(id: try build("3.0"), audience: .default, infoPlist: nil, assets: nil)
        func found(_ words: String, language: String) throws -> [String] {
            let snapshot = AppSnapshot(
                app: try app(language: language), timelines: try snapshot().timelines, releases: [])
            let findings = try ReleaseCheck(of: candidate, by: .set(try sketch(words)), in: snapshot).findings { ids, _ in ids }
            return findings.violations.map { "\($0.path)!\($0.code)" } + findings.warnings.map { "\($0.path): \($0.code)" }
        }
        #expect(try found("b c", language: "en") == [])
        #expect(try found("b", language: "en") == ["items: id-dropped"])
        // The app's default language has changed since it was drafted.
        #expect(
            try found("a b c", language: "ko") == [
                "items[0].title.ko!title-missing", "items[1].title.ko!title-missing", "items[2].title.ko!title-missing",
                "items[0].id!id-reused",
            ])
    }
}
