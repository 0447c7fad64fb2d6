import HTTP
import Shortcuts
import Testing

@testable import API

@Suite struct ProblemTests {
    /// The statuses as openapi.yaml documents them.
    @Test(
        arguments: [
            (400, [.malformedJSON, .invalidVersion, .invalidParameter, .badRequest]), (401, [.unauthenticated]),
            (403, [.forbidden, .crossSite]),
            (404, [.unknownApp, .noShortcutSet, .unknownResource]), (405, [.methodNotAllowed]), (406, [.notAcceptable]),
            (409, [.idReused, .conflict, .approvalMissing]), (412, [.preconditionFailed]), (413, [.contentTooLarge]),
            (415, [.unsupportedMediaType]), (428, [.preconditionRequired]),
            (422, [.invalidDocument, .quotaExceeded]), (429, [.tooManyRequests]), (500, [.internalError]),
            (503, [.overloaded, .storageUnavailable]),
        ] as [(Int, [Failure.Code])])
    func `gives every code its status`(_ status: Int, _ codes: [Failure.Code]) {
        for code in codes { #expect(Problem(failure: Failure(code, ""), request: "").response().status.code == status) }
    }

    @Test func `a problem says what to do and does not contain the internal cause`() throws {
        let failure = Failure(.storageUnavailable, "Try again.", cause: "disk I/O error")
        let response = Problem(failure: failure, request: "00ff").response()
        let body = String(decoding: response.body, as: UTF8.self)
        #expect(body.contains("\"type\":\"/problems/storage-unavailable\"") && body.contains("\"instance\":\"00ff\""))
        #expect(!body.contains("disk"))
        #expect(response.fields.first("Retry-After") == "1")
        #expect(response.fields.first("Content-Type") == "application/problem+json")
    }

    @Test func `says how long to wait where that is known`() {
        let response = Problem(failure: Failure(.tooManyRequests, "", retryAfter: 17), request: "").response()
        #expect(response.fields.first("Retry-After") == "17")
    }

    @Test func `a 401 has WWW-Authenticate`() {
        let response = Problem(failure: Failure(.unauthenticated, ""), request: "").response()
        #expect(response.fields.first("WWW-Authenticate") == "Bearer")
    }
}
