import Testing

@testable import Webhooks

struct SignatureTests {
    @Test(arguments: ["", "whsec_"])
    func `signs the published vector`(_ prefix: String) throws {
        let secret = try #require(SigningSecret(prefix + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = WebhookSignature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8),
            secrets: [secret])
        #expect(signature.description == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `signs with both secrets while one is rotated out`() throws {
        let secrets = ["whsec_AAAA", "whsec_AAAB"].compactMap { SigningSecret($0) }
        let both = WebhookSignature(id: "a", timestamp: 1, body: [], secrets: secrets).description
        let each = secrets.map { WebhookSignature(id: "a", timestamp: 1, body: [], secrets: [$0]).description }
        #expect(both == each.joined(separator: " "))
        #expect(Set(each).count == 2)
    }

    @Test(arguments: ["", "whsec_", "whsec_%%%", "whsec_AAA"])
    func `does not take what is no base64 for a secret`(_ text: String) {
        #expect(SigningSecret(text) == nil)
    }

    @Test func `generates 32 bytes from the random source`() throws {
        #expect(SigningSecret.generated(with: { 0x0102_0304_0506_0708 }) == "whsec_AQIDBAUGBwgBAgMEBQYHCAECAwQFBgcIAQIDBAUGBwg=")
        let secret = try #require(SigningSecret(SigningSecret.generated(with: systemRandom)))
        #expect(secret.key.count == 32)
    }
}
