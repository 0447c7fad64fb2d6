import Dispatch
import Foundation
import HTTP
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import API

@Suite struct RenderedAnswersTests {
    private let moment = CachePolicy().at(Timestamp(milliseconds: 0), nextPublish: nil)
    private let app = AppID("com.example.notes")
    private let other = AppID("com.example.other")

    private func answer(_ body: [UInt8], at target: String, of app: AppID? = AppID("com.example.notes")) throws -> RenderedAnswers.Outcome {
        let app = try #require(app)
        let fields: Fields = [
            "ETag": EntityTag(opaque: entityHash(of: body)).description, "Cache-Control": moment.ofMenu, "Vary": "Accept",
            "Content-Location": target, "Content-Type": "text/plain", "Surrogate-Key": "app/\(app)",
        ]
        return .answer(PreparedAnswer(fields: fields, validators: 4, body: body, route: "menu"), of: app, nil)
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

    /// - Parameter duringRendering: what happens once the store was read.
    private func remember(
        _ rendered: RenderedAnswers, _ target: String, _ fields: Fields, _ body: String, of app: AppID?,
        duringRendering: () -> Void = {}
    ) throws {
        let app = try #require(app)
        let answer = try answer(Array(body.utf8), at: target, of: app)
        let response = try rendered.response(to: Request(.get, target, fields: fields), by: "menu") { () throws(Failure) in
            duringRendering()
            return answer
        }
        #expect(response.body == Array(body.utf8))
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
        let validators: [Substring] = ["X-Content-Type-Options", "Date", "ETag", "Cache-Control", "Vary", "Content-Location"]
        #expect(names == (status == 304 ? validators : validators + ["Content-Type", "Surrogate-Key", "Content-Length"]))
    }

    @Test func `a stampede on one missing menu renders it once`() throws {
        let rendered = RenderedAnswers()
        let made = try answer([1, 2, 3], at: "/a")
        let request = try Request(.get, "/a")
        let all = DispatchGroup()
        let renderings = Mutex(0)
        let bodies = Mutex<[[UInt8]]>([])
        for _ in 0..<8 {
            all.enter()
            Thread.detachNewThread {
                let response = try? rendered.response(to: request, by: "menu") { () throws(Failure) in
                    renderings.withLock { $0 += 1 }
                    usleep(20_000)
                    return made
                }
                bodies.withLock { $0.append(response?.body ?? []) }
                all.leave()
            }
        }
        all.wait()
        #expect(renderings.withLock { $0 } == 1)
        #expect(bodies.withLock { $0 } == Array(repeating: [1, 2, 3], count: 8))
    }

    @Test func `who was on the way to a worker while a menu was rendered gets it as it is kept`() throws {
        let rendered = RenderedAnswers()
        try remember(rendered, "/a", ["Accept-Language": "ko"], "menu", of: app)
        for (field, value, status) in [("Accept", "", 200), ("If-None-Match", "*", 304), ("If-Match", "\"x\"", 412)] {
            var fields: Fields = ["Accept-Language": "ko"]
            if field != "Accept" { fields.append(field, value) }
            let request = try Request(.get, "/a", fields: fields)
            do throws(Failure) {
                let response = try rendered.response(to: request, by: "menu") { () throws(Failure) in .response(Response(.notFound)) }
                #expect(response.status.code == status)
                let names = response.fields.map(\.name)
                let validators = ["ETag", "Cache-Control", "Vary", "Content-Location"]
                #expect(names == (status == 304 ? validators : validators + ["Content-Type", "Surrogate-Key"]))
                #expect(response.body == (status == 304 ? [] : Array("menu".utf8)))
            } catch {
                #expect(error.code == .preconditionFailed && status == 412)
            }
        }
    }

    @Test func `who waits for a rendering that fails renders for itself`() throws {
        let rendered = RenderedAnswers()
        let request = try Request(.get, "/a")
        let all = DispatchGroup()
        let failures = Mutex(0)
        for _ in 0..<4 {
            all.enter()
            Thread.detachNewThread {
                do throws(Failure) {
                    _ = try rendered.response(to: request, by: "menu") { () throws(Failure) in
                        usleep(5_000)
                        throw Failure(.storageUnavailable, "no")
                    }
                } catch {
                    failures.withLock { $0 += 1 }
                }
                all.leave()
            }
        }
        all.wait()
        #expect(failures.withLock { $0 } == 4)
        try remember(rendered, "/a", [:], "menu", of: app)
        #expect(recall(rendered, "/a", [])?.body == Array("menu".utf8)[...])
    }

    @Test func `who has seen a change does not wait for what was read before it`() throws {
        let rendered = RenderedAnswers()
        let (old, new) = (try answer([1], at: "/a"), try answer([2], at: "/a"))
        let request = try Request(.get, "/a")
        let (hasBegun, mayEnd, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            let response = try? rendered.response(to: request, by: "menu") { () throws(Failure) in
                hasBegun.signal()
                mayEnd.wait()
                return old
            }
            #expect(response?.body == [1])
            hasEnded.signal()
        }
        hasBegun.wait()
        rendered.drop(try #require(app))
        #expect(try rendered.response(to: request, by: "menu") { () throws(Failure) in new }.body == [2])
        mayEnd.signal()
        hasEnded.wait()
        #expect(recall(rendered, "/a", [])?.body == [2])
    }

    @Test func `an event loop answers from copies of its own until something changes`() throws {
        let rendered = RenderedAnswers()
        let memory = RecentAnswers(of: rendered)
        try remember(rendered, "/a", [:], "menu", of: app)
        for _ in 0..<5 {
            let answer = try #require(recall(rendered, "/a", [], by: memory))
            #expect(answer.status == .ok && answer.body == Array("menu".utf8)[...])
            #expect(recall(rendered, "/a", ["If-None-Match: *"], by: memory)?.status == .notModified)
            #expect(recall(rendered, "/b", [], by: memory) == nil)
        }
        rendered.drop(try #require(app))
        #expect(recall(rendered, "/a", [], by: memory) == nil)
        try remember(rendered, "/a", [:], "new menu", of: app)
        for _ in 0..<5 { #expect(recall(rendered, "/a", [], by: memory)?.body == Array("new menu".utf8)[...]) }
    }

    @Test func `drops what is kept of an app, and of no other`() throws {
        let rendered = RenderedAnswers()
        try remember(rendered, "/a", [:], "menu", of: app)
        try remember(rendered, "/b", [:], "menu", of: other)
        rendered.drop(try #require(app))
        #expect(recall(rendered, "/a", []) == nil)
        #expect(recall(rendered, "/b", []) != nil)
    }

    @Test func `a change renders anew what is asked for, and drops the rest`() throws {
        let rendered = RenderedAnswers()
        let memory = RecentAnswers(of: rendered)
        let (app, new) = (try #require(app), try answer([1], at: "/a"))
        try remember(rendered, "/a?x=1", ["Accept-Language": "ko", "Accept": "*/*"], "menu", of: app)
        try remember(rendered, "/once", [:], "menu", of: app)
        try remember(rendered, "/b", [:], "menu", of: other)
        let fields = ["Accept-Language: ko", "Accept: */*"]
        for _ in 0..<2 { #expect(recall(rendered, "/a?x=1", fields, by: memory) != nil) }
        rendered.refresh(app) { request, route in
            #expect(request.target == "/a?x=1" && route == "menu")
            #expect(request.fields == ["Accept": "*/*", "Accept-Language": "ko"])
            // Nobody waits for it meanwhile.
            #expect(recall(rendered, "/a?x=1", fields, by: memory)?.body == Array("menu".utf8)[...])
            return new
        }
        #expect(recall(rendered, "/a?x=1", fields, by: memory)?.body == [1])
        #expect(recall(rendered, "/once", [], by: memory) == nil)
        #expect(recall(rendered, "/b", [], by: memory) != nil)
    }

    @Test func `what nobody asks for is rendered anew a few times only`() throws {
        let rendered = RenderedAnswers()
        let (app, new) = (try #require(app), try answer([1], at: "/a"))
        try remember(rendered, "/a", [:], "menu", of: app)
        for _ in 0..<10 { #expect(recall(rendered, "/a", []) != nil) }
        var renderings = 0
        for _ in 0..<10 {
            rendered.refresh(app) { _, _ in
                renderings += 1
                return new
            }
        }
        #expect(renderings == 3)
        #expect(recall(rendered, "/a", []) == nil && rendered.byteCount == 0)
    }

    @Test func `a change after which there is nothing to keep drops what was`() throws {
        let app = try #require(app)
        for outcome in [nil, RenderedAnswers.Outcome.response(Response(.notFound))] {
            let rendered = RenderedAnswers()
            try remember(rendered, "/a", [:], "menu", of: app)
            #expect(recall(rendered, "/a", []) != nil)
            rendered.refresh(app) { _, _ in outcome }
            #expect(recall(rendered, "/a", []) == nil)
        }
    }

    @Test func `what is dropped while it is rendered anew is not kept`() throws {
        let rendered = RenderedAnswers()
        let (app, new) = (try #require(app), try answer([1], at: "/a"))
        try remember(rendered, "/a", [:], "menu", of: app)
        #expect(recall(rendered, "/a", []) != nil)
        rendered.refresh(app) { _, _ in
            rendered.drop(app)
            return new
        }
        #expect(recall(rendered, "/a", []) == nil)
    }

    @Test func `does not keep what was rendered from before a change`() throws {
        let rendered = RenderedAnswers()
        let app = try #require(app)
        try remember(rendered, "/a", [:], "old menu", of: app) { rendered.drop(app) }
        #expect(recall(rendered, "/a", []) == nil)
    }

    /// Bodies that have much in common, like menus, and something that they have not.
    private func body(_ number: Int) -> String {
        (0..<4).map { "{\"type\": \"com.example.notes.compose\", \"localizedTitle\": \"\($0 * number)\"}" }.joined(separator: ", ")
    }

    @Test func `what is packed comes out as it was`() throws {
        let rendered = RenderedAnswers()
        let memories = [RecentAnswers(of: rendered), RecentAnswers(of: rendered)]
        for number in 0..<500 { try remember(rendered, "/\(number)", [:], body(number), of: app) }
        #expect(rendered.byteCount < 500 * 350)
        for memory in memories {
            for number in 0..<500 {
                for _ in 0..<2 { #expect(recall(rendered, "/\(number)", [], by: memory)?.body == Array(body(number).utf8)[...]) }
            }
        }
        rendered.drop(try #require(app))
        for memory in memories { #expect(recall(rendered, "/1", [], by: memory) == nil) }
    }

    @Test(arguments: [100_000, 1_000_000])
    func `stays within its budget and keeps what is asked for`(_ budget: Int) throws {
        let rendered = RenderedAnswers(budget: budget)
        let memory = RecentAnswers(of: rendered)
        try remember(rendered, "/hot", [:], "menu", of: app)
        for number in 0..<budget / 100 {
            let owner = number % 2 == 0 ? app : other
            try remember(rendered, "/\(number)", [:], body(number), of: owner)
            // Once there is no room left, only who is asked for again takes the place of another.
            if recall(rendered, "/\(number)", [], by: memory) == nil { try remember(rendered, "/\(number)", [:], body(number), of: owner) }
            #expect(recall(rendered, "/\(number)", [], by: memory)?.body == Array(body(number).utf8)[...])
            #expect(rendered.byteCount <= budget)
            #expect(recall(rendered, "/hot", []) != nil)
        }
        #expect(recall(rendered, "/0", []) == nil)
        #expect(recall(rendered, "/\(budget / 100 - 1)", []) != nil)
        rendered.drop(try #require(app))
        rendered.drop(try #require(other))
        #expect(recall(rendered, "/\(budget / 100 - 1)", [], by: memory) == nil)
    }

    @Test func `what is asked for once takes no place from what is used`() throws {
        let rendered = RenderedAnswers(budget: 100_000)
        let memory = RecentAnswers(of: rendered)
        for number in 0..<50 {
            try remember(rendered, "/used/\(number)", [:], body(number), of: app)
            #expect(recall(rendered, "/used/\(number)", [], by: memory) != nil)
        }
        for number in 0..<5_000 { try remember(rendered, "/once/\(number)", [:], body(number), of: other) }
        let kept = (0..<50).count { recall(rendered, "/used/\($0)", [], by: memory) != nil }
        #expect(kept == 50)
    }

    @Test func `what is too large for the budget is answered and not kept`() throws {
        let rendered = RenderedAnswers(budget: 100_000)
        var generator = SystemRandomNumberGenerator()
        let large = String(decoding: (0..<90_000).map { _ in UInt8.random(in: 0x21...0x7E, using: &generator) }, as: UTF8.self)
        try remember(rendered, "/large", [:], large, of: app)
        #expect(recall(rendered, "/large", []) == nil)
    }
}
