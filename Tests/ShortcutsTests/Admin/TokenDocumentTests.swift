import QuickActions
import Testing

@testable import Shortcuts

@Suite struct TokenDocumentTests {
    private let now = Timestamp("2026-11-22T05:00:00Z")

    @Test(arguments: [
        (#"{"name":"ci","role":"editor"}"#, []), (#"{"name":"ci","role":"editor","apps":null,"expiresAt":null}"#, []),
        (#"{"name":"ci","role":"editor","expiresAt":"2026-11-22T05:00:00.001Z"}"#, []),
        (#"{"name":"ci","role":"editor","expiresAt":"2026-11-22T05:00:00Z"}"#, ["expiresAt: time-past"]),
        (#"{"name":"ci","role":"editor","expiresAt":"2026-11-22T05:59:59+01:00"}"#, ["expiresAt: time-past"]),
        (#"{"name":"ci","role":"editor","expiresAt":"2027-01-01"}"#, ["expiresAt: date-invalid"]),
        (#"{"name":"ci","role":"editor","expiresAt":90}"#, ["expiresAt: type-mismatch"]),
        (#"{"name":"ci","role":"editor","owner":"ana@example.com"}"#, []), (#"{"name":"ci","role":"editor","owner":null}"#, []),
        (#"{"name":"ci","role":"editor","owner":""}"#, ["owner: text-invalid"]),
        (#"{"name":"ci","role":"editor","apps":[]}"#, ["apps: apps-empty"]),
        (#"{"name":"ci","role":"editor","apps":["-"]}"#, ["apps[0]: id-invalid"]),
        (#"{"name":"","role":"king","expires":1}"#, ["expires: unknown-member", "name: text-invalid", "role: role-unknown"]),
    ])
    func `checks a token`(document: String, expected: [String]) throws {
        let (json, now) = (try read(document), try #require(now))
        #expect((failure { try TokenDocument(json).checked(now: now) }?.found ?? []) == expected)
    }

    @Test func `a token expires`() throws {
        let document = #"{"name":"ci","role":"editor","apps":["a","a"],"expiresAt":"2027-01-01T01:00:00+01:00"}"#
        let request = try TokenDocument(try read(document)).checked(now: try #require(now))
        let app = try #require(AppID("a"))
        #expect(request.expiresAt?.shortText == "2027-01-01T00:00:00Z" && request.scope == .apps([app]))
        let made = NewToken(request, id: "t", secretBytes: [1], at: try #require(now))
        #expect(made.token.expiresAt == request.expiresAt && made.token.owner == TokenOwner("CI") && made.token.createdBy == nil)
    }
}
