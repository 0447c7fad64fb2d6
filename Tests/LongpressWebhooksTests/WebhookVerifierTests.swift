import Foundation
import Testing

@testable import LongpressWebhooks

/// The test vector of Standard Webhooks, and requests that a receiver must reject.
@Suite struct WebhookVerifierTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let other = "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()
    private static let time = 1_614_265_330.0
    private let body = Array(#"{"test": 2432232314}"#.utf8)
    private let headers = [
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ]

    private func verifier(_ secrets: [String] = [secret], at time: Double = time) throws -> WebhookVerifier {
        try WebhookVerifier(secrets: secrets, tolerance: .seconds(300)) { Date(timeIntervalSince1970: time) }
    }

    /// The published vector's body is not an event, so a valid signature leads to the next error.
    private func error(
        _ headers: [String: String], _ body: [UInt8]? = nil, secrets: [String] = [secret], at time: Double = time
    ) throws -> WebhookError? {
        let verifier = try verifier(secrets, at: time)
        do throws(WebhookError) {
            _ = try verifier.verify(body: body ?? self.body, headers: headers)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the published vector is signed`() throws {
        #expect(try error(headers) == .notAnEvent)
        #expect(try error(headers, secrets: [Self.other, Self.secret]) == .notAnEvent)
        #expect(try error(headers, secrets: [String(Self.secret.dropFirst(6))]) == .notAnEvent)
    }

    @Test(arguments: ["webhook-id", "webhook-timestamp", "webhook-signature"])
    func `each header is needed, in any case`(_ name: String) throws {
        var without = headers
        let value = without.removeValue(forKey: name)
        #expect(try error(without) == .missingHeader(name))
        without[name] = ""
        #expect(try error(without) == .missingHeader(name))
        without[name] = nil
        without[name.uppercased()] = value
        #expect(try error(without) == .notAnEvent)
    }

    @Test(arguments: [
        "", "v1,", "v1", "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        "v1,AAAA", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OA=", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1O", "v1,!!!!",
    ])
    func `no other signature is taken`(_ signature: String) throws {
        var changed = headers
        changed["webhook-signature"] = signature.isEmpty ? " " : signature
        #expect(try error(changed) == .noMatch)
    }

    @Test func `one right signature among several is enough`() throws {
        var changed = headers
        changed["webhook-signature"] = "v1a,AAAA v1,AAAA  \(headers["webhook-signature"] ?? "")"
        #expect(try error(changed) == .notAnEvent)
    }

    @Test func `whatever was changed is refused`() throws {
        for index in body.indices {
            var changed = body
            changed[index] ^= 1
            #expect(try error(headers, changed) == .noMatch)
        }
        #expect(try error(headers.merging(["webhook-id": "msg_other"]) { $1 }) == .noMatch)
        #expect(try error(headers.merging(["webhook-timestamp": "1614265331"]) { $1 }) == .noMatch)
        #expect(try error(headers, secrets: [Self.other]) == .noMatch)
    }

    @Test(arguments: [(0.0, WebhookError.notAnEvent), (300, .notAnEvent), (301, .tooOld), (-300, .notAnEvent), (-301, .tooNew)])
    func `an attempt is as old as the tolerance at most`(_ age: Double, _ expected: WebhookError) throws {
        #expect(try error(headers, at: Self.time + age) == expected)
    }

    @Test(arguments: [
        "now", "1614265330.0", "-1614265330", "+1614265330", "0x6037B832", "99999999999999999999", "１６１４２６５３３０", " 1614265330",
    ])
    func `a timestamp is a whole number`(_ text: String) throws {
        #expect(try error(headers.merging(["webhook-timestamp": text]) { $1 }) == .badTimestamp)
    }

    @Test(arguments: [
        ([], WebhookError.noSecrets), ([""], .badSecret), (["whsec_"], .badSecret), (["whsec_###"], .badSecret),
        ([secret, "x"], .badSecret),
    ])
    func `secrets are read when the verifier is made`(_ secrets: [String], _ expected: WebhookError) {
        #expect(throws: expected) { try WebhookVerifier(secrets: secrets) }
    }
}
