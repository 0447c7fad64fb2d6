import Shortcuts
import Testing

struct OperationDocumentTests {
    private func violations(_ check: () throws -> Void) throws -> [String] {
        do {
            try check()
            return []
        } catch let failure as Failure {
            return failure.violations.map { "\($0.path) \($0.code)" }
        }
    }

    @Test(arguments: [
        ("{}", 86_400), (#"{"overlap": null}"#, 86_400), (#"{"overlap": "0s"}"#, 0), (#"{"overlap": "90m"}"#, 5400),
        (#"{"overlap": "720h"}"#, 2_592_000),
    ])
    func `takes an overlap`(_ json: String, _ seconds: Int) throws {
        #expect(try SecretRotationDocument(try JSONReader.read(Array(json.utf8))).checked() == .seconds(seconds))
    }

    @Test(arguments: [
        (#"{"overlap": "soon"}"#, ["overlap duration-invalid"]), (#"{"overlap": "-1s"}"#, ["overlap duration-invalid"]),
        (#"{"overlap": ""}"#, ["overlap duration-invalid"]), (#"{"overlap": 24}"#, ["overlap type-mismatch"]),
        (#"{"overlap": "721h"}"#, ["overlap duration-too-long"]), (#"{"overlab": "1h"}"#, ["overlab unknown-member"]),
        ("[]", [" type-mismatch"]),
    ])
    func `refuses what is no overlap`(_ json: String, _ expected: [String]) throws {
        let document = SecretRotationDocument(try JSONReader.read(Array(json.utf8)))
        #expect(try violations { _ = try document.checked() } == expected)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:01Z", 1000), ("1970-01-01T00:00:01.5Z", 1500), ("1970-01-01T00:00:01.123456Z", 1123),
        ("1970-01-01T09:00:01+09:00", 1000), ("1969-12-31T20:30:00.25-03:30", 250), ("1969-12-31T23:59:59.999Z", -1),
    ])
    func `reads times as RFC 3339 writes them`(_ text: String, _ milliseconds: Int64) throws {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
        let since = try RecoveryDocument(try JSONReader.read(Array(#"{"since": "\#(text)"}"#.utf8))).checked()
        #expect(since?.milliseconds == milliseconds)
    }

    @Test func `reads back every time it writes`() {
        for milliseconds in [0, 1, 999, 1_000, 1_800_000_000_123, -1] as [Int64] {
            let time = Timestamp(milliseconds: milliseconds)
            #expect(Timestamp(rfc3339: time.description) == time)
        }
    }

    @Test(arguments: [
        "", "yesterday", "2026-01-31", "2026-01-31T09:00:00", "2026-02-30T09:00:00Z", "2026-01-31T09:00:00.Z",
        "2026-01-31T09:00:00.1", "2026-01-31T09:00:00+9:00", "2026-01-31T09:00:00+24:00", "2026-01-31T09:00:00 Z",
        "2026-01-31T09:00:00Zx", "2026-01-31T09:00:00.1234567890Z", "２026-01-31T09:00:00Z",
    ])
    func `refuses what is no time`(_ text: String) throws {
        #expect(Timestamp(rfc3339: text) == nil)
        let document = RecoveryDocument(.object([JSON.Member("since", .string(text))]))
        #expect(try violations { _ = try document.checked() } == ["since time-invalid"])
    }
}
