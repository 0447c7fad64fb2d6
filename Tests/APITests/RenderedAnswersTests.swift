import HTTP
import Shortcuts
import Testing

@testable import API

@Suite struct RenderedAnswersTests {
    private let app = AppID("com.example.notes")
    private let other = AppID("com.example.other")

    private func answer(_ body: String) -> RememberedAnswer {
        RememberedAnswer(
            ok: PreparedAnswer(.ok, fields: [:], body: Array(body.utf8)), notModified: PreparedAnswer(.notModified, fields: [:], body: []),
            etag: Array("tag".utf8))
    }

    /// What is remembered for a request as it would come over a socket.
    private func recall(_ rendered: RenderedAnswers, _ target: String, _ fields: [String]) -> PreparedAnswer? {
        var parser = RequestParser()
        let bytes = Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n".utf8)
        guard case .head = parser.parse(bytes.span) else { return nil }
        return rendered.answer(for: parser.head, in: bytes.span)
    }

    private func remember(
        _ rendered: RenderedAnswers, _ target: String, _ fields: Fields, _ body: String, of app: AppID?, since generation: Int? = nil
    ) throws {
        let request = try Request(.get, target, fields: fields)
        rendered.insert(answer(body), for: request, of: try #require(app), since: generation ?? rendered.generation)
    }

    @Test(
        arguments: [
            (["Accept-Language: ko"], true), (["ACCEPT-LANGUAGE: ko", "X: y"], true), ([], false), (["Accept-Language: ja"], false),
            (["Accept-Language: ko", "Accept: */*"], false), (["Accept-Language: ko", "Accept-Encoding: gzip"], false),
        ] as [([String], Bool)])
    func `answers who asks for the same in the same way`(_ fields: [String], _ isKnown: Bool) throws {
        let rendered = RenderedAnswers()
        try remember(rendered, "/a?x=1", ["Accept-Language": "ko"], "menu", of: app)
        #expect((recall(rendered, "/a?x=1", fields) != nil) == isKnown)
        #expect(recall(rendered, "/a?x=2", fields) == nil)
    }

    @Test(arguments: [("\"tag\"", 304), ("W/\"tag\"", 304), ("*", 304), ("\"a\", \"tag\"", 304), ("\"a\"", 200), ("tag", 200)])
    func `tells who has the bytes that nothing changed`(_ condition: String, _ status: Int) throws {
        let rendered = RenderedAnswers()
        try remember(rendered, "/a", [:], "menu", of: app)
        #expect(recall(rendered, "/a", ["If-None-Match: \(condition)"])?.status.code == status)
    }

    @Test func `drops what is kept of an app, and of no other`() throws {
        let rendered = RenderedAnswers()
        try remember(rendered, "/a", [:], "menu", of: app)
        try remember(rendered, "/b", [:], "menu", of: other)
        rendered.drop(try #require(app))
        #expect(recall(rendered, "/a", []) == nil)
        #expect(recall(rendered, "/b", []) != nil)
    }

    @Test func `does not keep what was rendered from before a change`() throws {
        let rendered = RenderedAnswers()
        let generation = rendered.generation
        rendered.drop(try #require(app))
        try remember(rendered, "/a", [:], "old menu", of: app, since: generation)
        #expect(recall(rendered, "/a", []) == nil)
    }

    @Test func `stays within its budget and keeps what is asked for`() throws {
        let rendered = RenderedAnswers(budget: 100_000)
        try remember(rendered, "/hot", [:], "menu", of: app)
        for number in 0..<1_000 {
            try remember(rendered, "/\(number)", [:], String(repeating: "x", count: 500), of: other)
            #expect(rendered.byteCount <= 100_000)
            #expect(recall(rendered, "/hot", []) != nil)
        }
        #expect(recall(rendered, "/0", []) == nil)
        #expect(recall(rendered, "/999", []) != nil)
    }
}
