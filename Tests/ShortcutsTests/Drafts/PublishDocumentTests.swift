import QuickActions
import Testing

@testable import Shortcuts

@Suite struct PublishDocumentTests {
    private let now = Timestamp(milliseconds: 1_769_850_000_000)

    private func times(_ body: String, mayEnd: Bool = true) throws -> [Int64?] {
        let times = try PublishDocument(try read(body)).checked(now: now, mayEnd: mayEnd)
        return [times.at?.milliseconds, times.until?.milliseconds]
    }

    @Test(arguments: ["{}", #"{"at":null}"#, #"{"until":null}"#])
    func `without a time it is now, and for ever`(body: String) throws {
        #expect(try times(body) == [nil, nil])
    }

    @Test func `later times are taken`() throws {
        #expect(try times(#"{"at":"2026-01-31T09:00:00.001Z"}"#) == [1_769_850_000_001, nil])
        #expect(try times(#"{"until":"2026-01-31T09:00:00.001Z"}"#) == [nil, 1_769_850_000_001])
        #expect(
            try times(#"{"at":"2026-01-31T09:00:00.001Z","until":"2026-01-31T09:00:00.002Z"}"#) == [1_769_850_000_001, 1_769_850_000_002])
    }

    @Test(arguments: [
        (#"{"at":"2026-01-31T09:00:00Z"}"#, ["at: time-past"]), (#"{"at":"2020-01-01T00:00:00Z"}"#, ["at: time-past"]),
        (#"{"at":"tomorrow"}"#, ["at: date-invalid"]), (#"{"at":1769850000}"#, ["at: type-mismatch"]),
        (#"{"on":"x","at":"y"}"#, ["on: unknown-member", "at: date-invalid"]), ("[]", [": type-mismatch"]),
        (#"{"until":"2026-01-31T09:00:00Z"}"#, ["until: time-past"]),
        (#"{"at":"2026-02-01T09:00:00Z","until":"2026-02-01T09:00:00Z"}"#, ["until: time-past"]),
        (#"{"at":"2020-01-01T00:00:00Z","until":"2020-01-02T00:00:00Z"}"#, ["at: time-past", "until: time-past"]),
        (#"{"message":""}"#, ["message: text-invalid"]), (#"{"message":7}"#, ["message: type-mismatch"]),
        (#"{"at":"2020-01-01T00:00:00Z","message":"two\nlines"}"#, ["message: text-invalid", "at: time-past"]),
    ])
    func `refuses`(body: String, expected: [String]) throws {
        let json = try read(body)
        #expect(failure { _ = try PublishDocument(json).checked(now: now, mayEnd: true) }?.found == expected)
    }

    @Test(arguments: [true, false]) func `a publish and a restore have a message`(mayEnd: Bool) throws {
        let options = try PublishDocument(try read(#"{"message":"The spring menu"}"#)).checked(now: now, mayEnd: mayEnd)
        #expect(options.message?.description == "The spring menu")
        #expect(try PublishDocument(try read(#"{"message":null}"#)).checked(now: now, mayEnd: mayEnd).message == nil)
    }

    @Test(arguments: [
        ("a", true), ("", false), (" \u{2003}", false), ("one\ntwo", false), ("one\u{2028}two", false), ("bell\u{7}", false),
        (String(repeating: "새", count: 200), true), (String(repeating: "a", count: 201), false),
        (String(repeating: "e\u{301}", count: 200), true), ("e" + String(repeating: "\u{301}", count: 1024), false),
    ]) func `a message is one line of at most 200 characters`(text: String, isValid: Bool) {
        #expect((RevisionMessage(text) != nil) == isValid)
    }

    @Test func `a restore has no end`() throws {
        let json = try read(#"{"until":"2026-02-01T09:00:00Z"}"#)
        #expect(failure { _ = try PublishDocument(json).checked(now: now, mayEnd: false) }?.found == ["until: unknown-member"])
    }
}
