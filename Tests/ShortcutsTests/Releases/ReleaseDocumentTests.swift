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

    @Test func `importing keeps known assets`() throws {
        let previous = try release("2.1", #"{"assets":{"images":["I"],"symbols":[]}}"#)
        #expect(try release("2.1").keepingAssets(of: previous).assets == previous.assets)
        #expect(try release("2.1", #"{"assets":{"images":[],"symbols":[]}}"#).keepingAssets(of: previous).assets?.images == [])
    }
}
