import Foundation
import QuickActions
import Testing

@testable import LongpressKit

@Suite struct PreviewTests {
    private static let link = "mail://longpress-preview?id=pre_1&token=lpv_secret"

    /// A service with the live menu, and a menu with the revision of a draft for the preview.
    private func transport(_ live: DomainService, draft: DomainService) -> ScriptedTransport {
        ScriptedTransport { request in
            guard request.url.query?.contains("preview=pre_1") == true else { return live.answer(request) }
            guard request.headers["Authorization"] == "Bearer lpv_secret" else {
                return LongpressResponse(status: 404, headers: [:], body: Data(#"{"type":"/problems/unknown-preview"}"#.utf8))
            }
            return draft.answer(request)
        }
    }

    private func services() throws -> (live: DomainService, draft: DomainService) {
        let draft = #"{"items": [{"id": "fresh", "type": "t.fresh", "title": {"en": "Fresh"}, "url": "notes://fresh"}]}"#
        return (
            DomainService(snapshot: try notes()), DomainService(snapshot: try snapshot([try timeline(["1.0": draft], first: 0)]))
        )
    }

    private func bench(_ transport: ScriptedTransport) throws -> Bench {
        var bench = try Bench(transport)
        bench.configuration.allowsPreviews = true
        return bench
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `a link shows the draft until it ends, and then what is live`() async throws {
        let (live, draft) = try services()
        let transport = transport(live, draft: draft)
        let bench = try bench(transport)
        let client = bench.client()
        _ = try await client.refresh()
        #expect(await client.begin(try url(Self.link)))
        guard case .changed(let menu) = try await client.refresh() else { throw ScriptedTransport.Unreachable() }
        #expect(menu.revision == 0 && menu.items.map(\.id) == ["fresh"])
        #expect(transport.requests.last?.url.host() == "actions.example.com")
        // It is asked for again at once, whatever its max-age.
        #expect(try await client.refresh() == .unchanged)
        #expect(transport.requests.last?.headers["If-None-Match"] != nil)
        let item = try #require(menu.items.first)
        let action = await client.resolve(QuickActionTap(type: item.type, userInfo: item.userInfo))
        #expect(action.outcome == .current && action.url?.absoluteString == "notes://fresh")
        // The next launch goes on with it. The draft itself is not stored.
        #expect(!bench.storage.files.withLock { $0.values.contains { String(decoding: $0, as: UTF8.self).contains("Fresh") } })
        let next = bench.client()
        #expect(await next.isPreviewing)
        _ = try await next.refresh()
        #expect(await next.menu?.revision == 0)

        transport.answer { request in
            guard request.url.query?.contains("preview") == true else { return live.answer(request) }
            return LongpressResponse(status: 404, headers: [:], body: Data(#"{"type":"/problems/unknown-preview"}"#.utf8))
        }
        guard case .changed(let back) = try await next.refresh() else { throw ScriptedTransport.Unreachable() }
        #expect(back.revision == 2)
        #expect(await !next.isPreviewing)
        #expect(await !bench.client().isPreviewing)
    }

    @Test func `an app ends a preview, and a failing service does not`() async throws {
        let (live, draft) = try services()
        let transport = transport(live, draft: draft)
        let client = try bench(transport).client()
        _ = try await client.refresh()
        _ = await client.begin(try url(Self.link))
        _ = try await client.refresh()
        transport.answer(503)
        #expect(await error { try await client.refresh() } == .status(503))
        #expect(await client.menu?.revision == 0)
        await client.endPreview()
        #expect(await client.menu?.revision == 2)
    }

    @Test func `an app that does not allow previews ignores links`() async throws {
        let (live, draft) = try services()
        var bench = try bench(transport(live, draft: draft))
        #expect(await bench.client().begin(try url(Self.link)))
        bench.configuration.allowsPreviews = false
        let client = bench.client()
        #expect(await !client.begin(try url(Self.link)))
        #expect(await !client.isPreviewing)
        _ = try await client.refresh()
        #expect(await client.menu?.revision == 2)
    }

    @Test(arguments: [
        "mail://longpress-preview", "mail://longpress-preview?id=a", "mail://longpress-preview?token=a", "mail://inbox?id=a&token=b",
        "mail://longpress-preview?id=a%0D%0AX:%20y&token=b", "mail://longpress-preview?id=a&token=b%0D%0AX:%20y",
        "mail://longpress-preview?id=&token=b", "mail://longpress-preview?id=a&token=ü", "longpress-preview",
        "https://example.com/longpress-preview?id=a&token=b",
        "mail://longpress-preview?id=a&token=" + String(repeating: "b", count: 129),
    ])
    func `no other URL is a link`(_ text: String) throws {
        #expect(!LongpressClient.isPreview(try url(text)))
    }

    @Test func `a change of the audience shows nothing of the draft of another`() async throws {
        let (live, draft) = try services()
        let client = try bench(transport(live, draft: draft)).client()
        _ = await client.begin(try url(Self.link))
        _ = try await client.refresh()
        await client.update(audience: "member")
        #expect(await client.menu == nil)
    }
}
