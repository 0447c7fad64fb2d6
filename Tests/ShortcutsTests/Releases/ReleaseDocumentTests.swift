import Testing

@testable import Shortcuts

@Suite struct ReleaseDocumentTests {
    @Test(arguments: [
        ("{}", []), (#"{"build":"512"}"#, []), (#"{"build":"x"}"#, ["build: invalid-version"]), (#"{"build":5}"#, ["build: type-mismatch"]),
        (#"{"build":"6"}"#, ["build: version-mismatch"]), (#"{"version":"9"}"#, ["version: version-mismatch"]),
        (
            #"{"staticItems":[{"type":"t"},{"title":"T","x":1}],"urlSchemes":[1],"assets":{"icons":[]},"minimumOSVersion":15,"displayName":null}"#,
            [
                "staticItems[0].title: required", "staticItems[1].x: unknown-member", "staticItems[1].type: required",
                "urlSchemes[0]: type-mismatch", "assets.icons: unknown-member", "minimumOSVersion: type-mismatch",
            ]
        ),
    ])
    func `checks a release`(document: String, expected: [String]) throws {
        let json = try read(document)
        #expect((failure { try ReleaseDocument(json).checked(for: try build("2.1+512")) }?.found ?? []) == expected)
    }

    @Test(arguments: [
        (#"{"displayName":"$"}"#, "displayName: text-invalid"), (#"{"minimumOSVersion":"$"}"#, "minimumOSVersion: text-invalid"),
        (#"{"urlSchemes":["$"]}"#, "urlSchemes[0]: text-invalid"), (#"{"assets":{"images":["$"]}}"#, "assets.images[0]: text-invalid"),
        (#"{"assets":{"symbols":["$"]}}"#, "assets.symbols[0]: text-invalid"),
        (#"{"staticItems":[{"type":"$","title":"T"}]}"#, "staticItems[0].type: type-invalid"),
        (#"{"staticItems":[{"type":"t","title":"$"}]}"#, "staticItems[0].title: text-invalid"),
        (#"{"staticItems":[{"type":"t","title":"T","subtitle":"$"}]}"#, "staticItems[0].subtitle: text-invalid"),
        (#"{"staticItems":[{"type":"t","title":"T","icon":{"file":"$"}}]}"#, "staticItems[0].icon.file: text-invalid"),
    ])
    func `every text has a limit, in characters and in bytes`(document: String, expected: String) throws {
        let marks = String(repeating: "\u{301}", count: 1024)
        for (text, isTooLong) in [
            (String(repeating: "a", count: 255), false), (String(repeating: "a", count: 256), true),
            (String(repeating: "새", count: 255), false), ("e" + marks.dropLast(), false), ("e" + marks, true),
        ] {
            let json = try read(document.replacing("$", with: text))
            let found = failure { try ReleaseDocument(json).checked(for: try build("2.1")) }?.found ?? []
            #expect(found == (isTooLong ? [expected] : []), "\(text.utf8.count) bytes")
            // A release that was stored before the limit existed stays readable.
            let stored = document.replacing("{", with: #"{"version":"2.1","#, maxReplacements: 1).replacing("$", with: text)
            if !expected.contains("type"), !expected.contains("icon") {
                #expect(failure { try Release(stored: Array(stored.utf8)) } == nil)
            }
        }
    }

    @Test(arguments: [
        (#"{"staticItems":[$]}"#, #"{"type":"t","title":"T"}"#, 20, "staticItems"), (#"{"urlSchemes":[$]}"#, #""a""#, 200, "urlSchemes"),
        (#"{"assets":{"images":[$]}}"#, #""a""#, 10_000, "assets.images"),
    ])
    func `every list has a limit`(document: String, element: String, limit: Int, path: String) throws {
        for (count, expected) in [(limit, []), (limit + 1, ["\(path): too-many-items"])] {
            let json = try read(document.replacing("$", with: Array(repeating: element, count: count).joined(separator: ",")))
            #expect((failure { try ReleaseDocument(json).checked(for: try build("2.1")) }?.found ?? []) == expected)
        }
    }

    @Test func `the userInfo of a static item is as small as an item's`() throws {
        let large = String(repeating: "a", count: 4096)
        let json = try read(#"{"staticItems":[{"type":"t","title":"T","userInfo":{"k":"\#(large)"}}]}"#)
        #expect(
            failure { try ReleaseDocument(json).checked(for: try build("2.1")) }?.found == ["staticItems[0].userInfo: userinfo-too-large"])
    }

    @Test func `importing keeps known assets`() throws {
        let previous = try release("2.1", #"{"assets":{"images":["I"],"symbols":[]}}"#)
        #expect(try release("2.1").keepingAssets(of: previous).assets == previous.assets)
        #expect(try release("2.1", #"{"assets":{"images":[],"symbols":[]}}"#).keepingAssets(of: previous).assets?.images == [])
    }
}
