import Dispatch
import Foundation
import HTTP
import Shortcuts
import Synchronization
import Testing

@testable import API

@Suite struct RenderedAnswersTests {
    private let moment = CachePolicy().at(Timestamp(milliseconds: 0), nextPublish: nil)
    private let app = AppID("com.example.notes")
    private let other = AppID("com.example.other")

    private let wish = CacheableAnswer.Wish(wantsGzip: false, vary: "Accept")

    private func name(_ location: String) -> Representation.Name {
        Representation.Name(location: location, type: "text/plain", wantsGzip: false)
    }

    /// What is remembered for a request as it would come over a socket.
    private func recall(
        _ rendered: RenderedAnswers, _ target: String, _ fields: [String], by memory: RecentAnswers? = nil
    ) -> PreparedAnswer? {
        var parser = RequestParser()
        let bytes = Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n".utf8)
        guard case .head = parser.parse(bytes.span) else { return nil }
        return (memory ?? RecentAnswers(of: rendered)).answer(to: parser.head, bytes.span)
    }

    private func remember(
        _ rendered: RenderedAnswers, _ target: String, _ fields: Fields, _ body: String, of app: AppID?, since generation: Int? = nil
    ) throws {
        let app = try #require(app)
        let answer = CacheableAnswer(Array(body.utf8), type: "text/plain", of: app, at: target, wish, moment)
        let request = try Request(.get, target, fields: fields)
        rendered.insert(answer, by: "menu", for: request, since: generation ?? rendered.generation)
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
        let condition = condition.replacing("tag", with: entityHash(of: Array("menu".utf8)))
        let answer = try #require(recall(rendered, "/a", ["If-None-Match: \(condition)"]))
        #expect(answer.status.code == status)
        var head: [UInt8] = []
        answer.appendHead(date: [], connection: .absent, to: &head)
        let names = String(decoding: head, as: UTF8.self).split(separator: "\r\n").dropFirst().compactMap { $0.split(separator: ":").first }
        let validators: [Substring] = ["Date", "ETag", "Cache-Control", "Vary", "Content-Location"]
        #expect(names == (status == 304 ? validators : validators + ["Content-Type", "Surrogate-Key", "Content-Length"]))
    }

    @Test func `spellings of one representation share its bytes, and go with it`() throws {
        let rendered = RenderedAnswers()
        let app = try #require(app)
        let body = [UInt8](repeating: 0x78, count: 10_000)
        for number in 0..<20 {
            let menu = rendered.representation(name("/a?lang=ko"), of: app, since: 0) { body }
            let request = try Request(.get, "/a", fields: ["Accept-Language": "ko;q=0.\(number)"])
            rendered.insert(CacheableAnswer(menu, wish, moment), by: "menu", for: request, since: 0)
        }
        #expect((10_000..<40_000).contains(rendered.byteCount))
        #expect(recall(rendered, "/a", ["Accept-Language: ko;q=0.0"])?.body == body)
        rendered.drop(app)
        #expect(rendered.byteCount == 0)
        #expect(recall(rendered, "/a", ["Accept-Language: ko;q=0.0"]) == nil)
    }

    @Test func `of one representation only so many spellings are known`() throws {
        let rendered = RenderedAnswers()
        try remember(rendered, "/b", [:], "menu", of: other)
        for number in 0...RenderedAnswers.spellingLimit {
            let menu = rendered.representation(name("/a"), of: try #require(app), since: 0) { [] }
            let request = try Request(.get, "/a?\(number)")
            rendered.insert(CacheableAnswer(menu, wish, moment), by: "menu", for: request, since: 0)
        }
        #expect(recall(rendered, "/a?0", []) == nil)
        #expect(recall(rendered, "/a?1", []) != nil && recall(rendered, "/a?\(RenderedAnswers.spellingLimit)", []) != nil)
        #expect(recall(rendered, "/b", []) != nil)
    }

    @Test func `a stampede on one missing menu renders it once`() throws {
        let rendered = RenderedAnswers()
        let app = try #require(app)
        let all = DispatchGroup()
        let renderings = Mutex(0)
        let bodies = Mutex<[[UInt8]]>([])
        for _ in 0..<8 {
            all.enter()
            Thread.detachNewThread {
                let menu = rendered.representation(name("/a"), of: app, since: 0) {
                    renderings.withLock { $0 += 1 }
                    usleep(20_000)
                    return [1, 2, 3]
                }
                bodies.withLock { $0.append(menu.body) }
                all.leave()
            }
        }
        all.wait()
        #expect(renderings.withLock { $0 } == 1)
        #expect(bodies.withLock { $0 } == Array(repeating: [1, 2, 3], count: 8))
    }

    @Test func `who has seen a change does not wait for what was read before it`() throws {
        let rendered = RenderedAnswers()
        let app = try #require(app)
        let (hasBegun, mayEnd, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            let menu = rendered.representation(name("/a"), of: app, since: 0) {
                hasBegun.signal()
                mayEnd.wait()
                return [1]
            }
            #expect(menu.body == [1])
            hasEnded.signal()
        }
        hasBegun.wait()
        rendered.drop(app)
        #expect(rendered.representation(name("/a"), of: app, since: 1) { [2] }.body == [2])
        mayEnd.signal()
        hasEnded.wait()
        #expect(rendered.representation(name("/a"), of: app, since: 1) { [3] }.body == [2])
    }

    @Test func `an event loop answers from copies of its own until something changes`() throws {
        let rendered = RenderedAnswers()
        let memory = RecentAnswers(of: rendered)
        try remember(rendered, "/a", [:], "menu", of: app)
        for _ in 0..<5 {
            let answer = try #require(recall(rendered, "/a", [], by: memory))
            #expect(answer.status == .ok && answer.body == Array("menu".utf8))
            #expect(recall(rendered, "/a", ["If-None-Match: *"], by: memory)?.status == .notModified)
            #expect(recall(rendered, "/b", [], by: memory) == nil)
        }
        rendered.drop(try #require(app))
        #expect(recall(rendered, "/a", [], by: memory) == nil)
        try remember(rendered, "/a", [:], "new menu", of: app)
        for _ in 0..<5 { #expect(recall(rendered, "/a", [], by: memory)?.body == Array("new menu".utf8)) }
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
