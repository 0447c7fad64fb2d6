import Foundation
import Testing

@testable import LongpressWebhooks

@Suite struct WebhookEventTests {
    /// The event of a body with a valid signature.
    private func event(_ body: String) throws -> WebhookEvent {
        let key = Data(repeating: 7, count: 32)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let verifier = try WebhookVerifier(secrets: ["whsec_" + key.base64EncodedString()], tolerance: .seconds(1)) { now }
        let code = HMACKey(Array(key)).authenticationCode(for: Array("msg_1.1800000000.\(body)".utf8))
        return try verifier.verify(
            body: Array(body.utf8),
            headers: [
                "Webhook-Id": "msg_1", "Webhook-Timestamp": "1800000000",
                "Webhook-Signature": "v1,\(Data(code).base64EncodedString())",
            ])
    }

    private func payload(_ type: String, _ data: String) throws -> WebhookEvent.Payload {
        try event(#"{"type": "\#(type)", "timestamp": "2026-11-22T08:30:00.125Z", "data": \#(data)}"#).payload
    }

    @Test func `an event has its id, type and time`() throws {
        let event = try event(#"{"type": "webhook.ping", "timestamp": "2026-11-22T08:30:00.125Z", "data": {}}"#)
        #expect(event.id == "msg_1" && event.type == "webhook.ping" && event.payload == .ping)
        #expect(event.timestamp == Date(timeIntervalSince1970: 1_795_336_200.125))
    }

    @Test func `a publish`() throws {
        let data = """
            {"app": "com.example.mail", "audience": "default", "version": "2.1.0", "revision": 7, "previousRevision": null,
             "added": ["a"], "changed": [], "removed": ["b", "c"], "etag": "\\"x\\"", "url": "https://a.example/v1/apps?revision=7"}
            """
        guard case .shortcutsPublished(let published) = try payload("shortcuts.published", data) else {
            Issue.record("not a publish")
            return
        }
        #expect(published.app == "com.example.mail" && published.version == "2.1.0" && published.revision == 7)
        #expect(published.previousRevision == nil && published.added == ["a"] && published.removed == ["b", "c"])
        #expect(published.etag == "\"x\"" && published.url.absoluteString == "https://a.example/v1/apps?revision=7")
    }

    @Test func `a schedule that failed`() throws {
        let data = """
            {"app": "a", "audience": "guest", "version": "3.0.0", "at": "2026-11-27T18:00:00Z",
             "violations": [{"path": "items[0].id", "code": "id-reused", "message": "Rename it."}]}
            """
        guard case .shortcutsScheduleFailed(let failed) = try payload("shortcuts.schedule-failed", data) else {
            Issue.record("not a failed schedule")
            return
        }
        #expect(failed.audience == "guest" && failed.at == Date(timeIntervalSince1970: 1_795_802_400))
        #expect(failed.violations.map(\.code) == ["id-reused"])
    }

    @Test func `a disabled webhook`() throws {
        let data = #"{"id": "ep", "url": "https://a.example:8443", "description": null, "reason": "gone"}"#
        guard case .webhookDisabled(let disabled) = try payload("webhook.disabled", data) else {
            Issue.record("not a disabled webhook")
            return
        }
        #expect((disabled.id, disabled.url?.absoluteString) == ("ep", "https://a.example:8443"))
        #expect((disabled.description, disabled.reason) == (nil, "gone"))
    }

    @Test func `apps and releases`() throws {
        #expect(try payload("app.created", #"{"app": "a"}"#) == .appCreated(app: "a"))
        #expect(try payload("app.deleted", #"{"app": "a"}"#) == .appDeleted(app: "a"))
        guard case .releaseImported(let release) = try payload("release.imported", #"{"app": "a", "version": "2.0.0", "build": null}"#)
        else {
            Issue.record("not a release")
            return
        }
        #expect(release.version == "2.0.0" && release.build == nil && release.shownDifferently.isEmpty)
        let data = #"{"app":"a","version":"2.0.0","build":"7","shownDifferently":[{"version":"1.0.0","audience":"default"},{"version":1}]}"#
        guard case .releaseDeleted(let deleted) = try payload("release.deleted", data) else {
            Issue.record("not a deleted release")
            return
        }
        #expect((deleted.app, deleted.build) == ("a", "7"))
        #expect(deleted.shownDifferently.map { "\($0.version) \($0.audience)" } == ["1.0.0 default"])
    }

    @Test(arguments: [("shortcuts.celebrated", #"{"a":[1,2.50]}"#), ("shortcuts.published", #"{"app":"a"}"#)])
    func `what is not known is no error`(_ type: String, _ data: String) throws {
        guard case .unknown(type, let bytes) = try payload(type, data) else {
            Issue.record("known")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == data.replacing("2.50", with: "2.5"))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"type": 1, "timestamp": "2026-11-22T08:30:00Z", "data": {}}"#, #"{"type": "a", "data": {}}"#,
        #"{"type": "a", "timestamp": "2026-11-22T08:30:00Z", "data": []}"#, #"{"type": "a", "timestamp": "soon", "data": {}}"#,
    ])
    func `a body that is no event is refused by name`(_ body: String) {
        #expect(throws: WebhookError.notAnEvent) { try event(body) }
    }
}
