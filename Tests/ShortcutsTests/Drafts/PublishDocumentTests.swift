import QuickActions
import Testing

@testable import Shortcuts

@Suite struct PublishDocumentTests {
    private let now = Timestamp(milliseconds: 1_769_850_000_000)

    @Test(arguments: ["{}", #"{"at":null}"#])
    func `without a time it is now`(body: String) throws {
        #expect(try PublishDocument(try read(body)).checked(now: now) == nil)
    }

    @Test func `a later time is taken`() throws {
        let body = try read(#"{"at":"2026-01-31T09:00:00.001Z"}"#)
        #expect(try PublishDocument(body).checked(now: now) == Timestamp(milliseconds: 1_769_850_000_001))
    }

    @Test(arguments: [
        (#"{"at":"2026-01-31T09:00:00Z"}"#, ["at: time-past"]), (#"{"at":"2020-01-01T00:00:00Z"}"#, ["at: time-past"]),
        (#"{"at":"tomorrow"}"#, ["at: date-invalid"]), (#"{"at":1769850000}"#, ["at: type-mismatch"]),
        (#"{"on":"x","at":"y"}"#, ["on: unknown-member", "at: date-invalid"]), ("[]", [": type-mismatch"]),
    ])
    func `refuses`(body: String, expected: [String]) throws {
        let json = try read(body)
        #expect(failure { try PublishDocument(json).checked(now: now) }?.found == expected)
    }
}
