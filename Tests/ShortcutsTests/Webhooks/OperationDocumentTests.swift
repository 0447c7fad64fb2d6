import Testing

@testable import Shortcuts

@Suite struct OperationDocumentTests {
    @Test(arguments: [
        ("{}", 86_400), (#"{"overlap": null}"#, 86_400), (#"{"overlap": "0s"}"#, 0), (#"{"overlap": "90m"}"#, 5400),
        (#"{"overlap": "720h"}"#, 2_592_000),
    ])
    func `takes an overlap`(_ json: String, _ seconds: Int) throws {
        #expect(try SecretRotationDocument(try read(json)).checked() == .seconds(seconds))
    }

    @Test(arguments: [
        (#"{"overlap": "soon"}"#, "overlap: duration-invalid"), (#"{"overlap": "-1s"}"#, "overlap: duration-invalid"),
        (#"{"overlap": ""}"#, "overlap: duration-invalid"), (#"{"overlap": 24}"#, "overlap: type-mismatch"),
        (#"{"overlap": "721h"}"#, "overlap: duration-too-long"), (#"{"overlab": "1h"}"#, "overlab: unknown-member"),
        ("[]", ": type-mismatch"),
    ])
    func `refuses what is no overlap`(_ json: String, _ expected: String) throws {
        let document = SecretRotationDocument(try read(json))
        #expect(failure { try document.checked() }?.found == [expected])
    }

    @Test(arguments: [
        ("{}", nil), (#"{"since": null}"#, nil), (#"{"since": "1969-12-31T20:30:00.25-03:30"}"#, 250),
    ])
    func `takes a time to recover from`(_ json: String, _ milliseconds: Int64?) throws {
        #expect(try RecoveryDocument(try read(json)).checked()?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        (#"{"since": "yesterday"}"#, ["since: date-invalid"]), (#"{"since": 0}"#, ["since: type-mismatch"]),
        (#"{"since": "", "until": "now"}"#, ["until: unknown-member", "since: date-invalid"]),
    ])
    func `refuses what is no time to recover from`(_ json: String, _ expected: [String]) throws {
        let document = RecoveryDocument(try read(json))
        #expect(failure { try document.checked() }?.found == expected)
    }
}
