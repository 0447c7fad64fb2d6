import Dispatch
import Foundation
import HTTP
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import API

@Suite struct SharedCacheTests {
    private let moment = CachePolicy().at(Timestamp(milliseconds: 0), nextPublish: nil)
    private let app = AppID("com.example.notes")
    private let other = AppID("com.example.other")

    /// A fetch of one of an app's versions. These tests cache its answer.
    private func target(_ number: Int, of app: AppID) -> String { "/v1/apps/\(app)/versions/1.0.\(number)/shortcuts?lang=en" }

    private func fetch(_ number: Int, _ fields: Fields = [:]) throws -> FetchRequest {
        try .shortcuts(
            try #require(AppVersion("1.0.\(number)")), try Query(decoding: "lang=en"), FetchRequest.Negotiation(fields))
    }

    /// A menu in English with the given body.
    /// - Parameter revision: the app's last one when it was read.
    private func rendered(
        _ body: String, _ fetch: FetchRequest, of app: AppID, in cache: SharedCache, at revision: Int64 = 0
    ) throws -> CacheEntry {
        let (zero, english) = (try #require(AppVersion("0")), try #require(LanguageTag("en")))
        let table = NegotiationTable(
            EffectiveSnapshot(
                app: App(id: app, name: nil, defaultLanguage: english, fallbackURL: nil), firstVersions: [.default: zero],
                audience: .default, effective: nil, range: nil, releases: [], nextPublish: nil,
                lastRevision: revision))
        let selected = SelectedRepresentation(
            app: app, resource: fetch.resource, client: fetch.client.build, audience: .default, language: english,
            variesByLanguage: !fetch.namesLanguage, isDefaultLanguage: true, scope: nil, isGzipped: fetch.wantsGzip, notice: nil,
            effectiveFrom: zero, visibleBudget: 4)
        let template = AnswerTemplate(Array(body.utf8), vary: fetch.vary, moment)
        let key = selected.key(seed: cache.seed)
        return CacheEntry(
            answer: try #require(template.completed(as: selected, key)), key: key, representation: selected, origin: .store(template, table)
        )
    }

    /// The cached answer to a request, as it would arrive over a socket.
    private func recall(
        _ rendered: SharedCache, _ number: Int, of app: AppID? = AppID("com.example.notes"), _ fields: [String] = [],
        by memory: LoopCache? = nil
    ) throws -> PreparedAnswer? {
        var parser = RequestParser()
        let lines = fields.map { $0 + "\r\n" }.joined()
        let bytes = Array("GET \(target(number, of: try #require(app))) HTTP/1.1\r\nHost: a\r\n\(lines)\r\n".utf8)
        guard case .head = parser.parse(bytes.span) else { return nil }
        return (memory ?? LoopCache(of: rendered)).found(for: parser.head, bytes.span)
    }

    private func text(_ answer: PreparedAnswer?) -> String? { answer.map { String(decoding: $0.body, as: UTF8.self) } }

    /// - Parameter duringRendering: called after the store was read.
    @discardableResult
    private func respond(
        _ answers: SharedCache, _ number: Int, of app: AppID?, _ body: String, fields: Fields = [:], at revision: Int64 = 0,
        duringRendering: () -> Void = {}
    ) throws -> Response {
        let app = try #require(app)
        let fetch = try fetch(number, fields)
        let made = try rendered(body, fetch, of: app, in: answers, at: revision)
        let request = try Request(.get, target(number, of: app), fields: fields)
        return try answers.response(
            to: request, fetch, of: app, AnswerKey(of: request, seed: answers.seed), answers.lookUp(fetch, of: app)
        ) { () throws(Failure) in
            duringRendering()
            return .answer(made)
        }.unpacked
    }

    /// A response to a request in a new thread. It renders until `finish` is called.
    private final class UnderWay: Sendable {
        private let (hasBegun, mayEnd, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        private let body = Mutex<[UInt8]?>(nil)

        init(_ respond: @escaping @Sendable (_ duringRendering: () -> Void) throws -> Response) {
            Thread.detachNewThread { [self] in
                let response = try? respond {
                    hasBegun.signal()
                    mayEnd.wait()
                }
                body.withLock { $0 = response?.body }
                hasEnded.signal()
            }
            hasBegun.wait()
        }

        func finish() -> String? {
            mayEnd.signal()
            hasEnded.wait()
            return body.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private func underWay(_ answers: SharedCache, _ number: Int, of app: AppID?, _ body: String) -> UnderWay {
        UnderWay { [self] in try respond(answers, number, of: app, body, duringRendering: $0) }
    }

    /// Runs the body in several threads. The first one that renders continues when all have started.
    private func together<Result: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (_ allHaveBegun: () -> Void) throws -> Result
    ) -> [Result] {
        let (begun, done) = (DispatchGroup(), DispatchGroup())
        let results = Mutex<[Result]>([])
        for _ in 0..<count {
            begun.enter()
            done.enter()
            Thread.detachNewThread {
                begun.leave()
                if let result = try? body({ begun.wait() }) { results.withLock { $0.append(result) } }
                done.leave()
            }
        }
        done.wait()
        return results.withLock { $0 }
    }

    @Test func `answers equal requests equally`() throws {
        let rendered = SharedCache()
        try respond(rendered, 1, of: app, "menu", fields: ["Accept-Encoding": "gzip"])
        #expect(try recall(rendered, 1, ["Accept-Encoding: gzip"]) != nil)
        #expect(try recall(rendered, 1, ["ACCEPT-ENCODING: gzip", "X: y"]) != nil)
        #expect(try recall(rendered, 1) == nil)
        #expect(try recall(rendered, 1, ["Accept-Encoding: br"]) == nil)
        #expect(try recall(rendered, 2, ["Accept-Encoding: gzip"]) == nil)
        #expect(try recall(rendered, 1, of: other, ["Accept-Encoding: gzip"]) == nil)
    }

    @Test(arguments: [("\"tag\"", 304), ("W/\"tag\"", 304), ("*", 304), ("\"a\", \"tag\"", 304), ("\"a\"", 200), ("tag", 200)])
    func `answers 304 if the precondition matches`(_ condition: String, _ status: Int) throws {
        let rendered = SharedCache()
        try respond(rendered, 1, of: app, "menu")
        let condition = condition.replacing("tag", with: entityHash(of: Array("menu".utf8)))
        let answer = try #require(try recall(rendered, 1, ["If-None-Match: \(condition)"]))
        #expect(answer.status.code == status)
        var head: [UInt8] = []
        answer.appendHead(id: [], date: [], connection: .absent, to: &head)
        let names = String(decoding: head, as: UTF8.self).split(separator: "\r\n").dropFirst().compactMap { $0.split(separator: ":").first }
        let validators: [Substring] = [
            "X-Content-Type-Options", "X-Request-ID", "Date", "ETag", "Cache-Control", "Vary", "Content-Location",
        ]
        #expect(
            names == (status == 304 ? validators : validators + ["Content-Type", "Content-Language", "Surrogate-Key", "Content-Length"]))
    }

    @Test func `a precondition that fails at the first fetch is this request's alone`() throws {
        let answers = SharedCache()
        for _ in 0..<2 {
            #expect {
                try respond(answers, 0, of: app, "menu", fields: ["If-Match": "\"other\""])
            } throws: { ($0 as? Failure)?.code == .preconditionFailed }
        }
        #expect(try respond(answers, 0, of: app, "menu").status == .ok)
    }

    @Test func `a stampede on one missing menu renders it once`() throws {
        let rendered = SharedCache()
        let renderings = Mutex(0)
        let responses = together(8) { [self] allHaveBegun in
            try respond(rendered, 1, of: app, "menu") {
                renderings.withLock { $0 += 1 }
                allHaveBegun()
            }
        }
        #expect(renderings.withLock { $0 } == 1)
        #expect(responses.map(\.body) == Array(repeating: Array("menu".utf8), count: 8))
    }

    @Test func `who was on the way to a worker while a menu was rendered gets it as it is kept`() throws {
        let rendered = SharedCache()
        try respond(rendered, 1, of: app, "menu")
        for (field, value, status) in [("X", "", 200), ("If-None-Match", "*", 304), ("If-Match", "\"x\"", 412)] {
            do {
                let response = try respond(rendered, 1, of: app, "rendered again", fields: [field: value])
                #expect(response.status.code == status)
                let validators = ["ETag", "Cache-Control", "Vary", "Content-Location"]
                #expect(
                    response.fields.map(\.name)
                        == (status == 304 ? validators : validators + ["Content-Type", "Content-Language", "Surrogate-Key"]))
                #expect(response.body == (status == 304 ? [] : Array("menu".utf8)))
            } catch let failure as Failure {
                #expect(failure.code == .preconditionFailed && status == 412)
            }
        }
    }

    @Test func `what was read before other content is not kept beside it`() throws {
        let rendered = SharedCache()
        let app = try #require(app)
        try respond(rendered, 1, of: app, "old", at: 5) { _ = try? respond(rendered, 2, of: app, "new", at: 6) }
        #expect(try recall(rendered, 1) == nil)
        #expect(text(try recall(rendered, 2)) == "new")
        try respond(rendered, 1, of: app, "new", at: 6)
        try respond(rendered, 3, of: app, "newer", at: 7)
        #expect(text(try recall(rendered, 1)) == "new")
        #expect(text(try recall(rendered, 3)) == "newer")
    }

    /// If the store does not answer, the requests that wait for a rendering do not each wait for the store again.
    @Test(arguments: [true, false]) func `who waits for a rendering without the store gets what it came to`(_ isKnown: Bool) throws {
        let app = try #require(app)
        let (fetch, request) = (try fetch(1), try Request(.get, target(1, of: app)))
        let rendered = SharedCache()
        let known = try self.rendered("known", fetch, of: app, in: rendered).answer
        let isShared = (0..<1000).contains { _ in
            let renderings = Mutex(0)
            let ends = together(4) { allHaveBegun in
                do throws(Failure) {
                    let response = try rendered.response(to: request, fetch, of: app, AnswerKey(of: request, seed: rendered.seed), .unknown)
                    { () throws(Failure) in
                        renderings.withLock { $0 += 1 }
                        allHaveBegun()
                        guard isKnown else { throw Failure(.storageUnavailable, "no") }
                        return .lastKnown(known)
                    }
                    return String(decoding: response.unpacked.body, as: UTF8.self)
                } catch { return error.code.rawValue }
            }
            #expect(ends == Array(repeating: isKnown ? "known" : "storage-unavailable", count: 4))
            let cached = try? recall(rendered, 1)
            #expect(cached == nil)
            return renderings.withLock { $0 } < 4
        }
        #expect(isShared)
    }

    @Test func `who waits for a rendering that fails renders for itself`() throws {
        let rendered = SharedCache()
        let app = try #require(app)
        let (fetch, request) = (try fetch(1), try Request(.get, target(1, of: app)))
        let failures = together(4) { allHaveBegun in
            do throws(Failure) {
                _ = try rendered.response(to: request, fetch, of: app, AnswerKey(of: request, seed: rendered.seed), .unknown) {
                    () throws(Failure) in
                    allHaveBegun()
                    throw Failure(.overloaded, "no")
                }
                return false
            } catch { return true }
        }
        #expect(failures == [true, true, true, true])
        try respond(rendered, 1, of: app, "menu")
        #expect(text(try recall(rendered, 1)) == "menu")
    }

    @Test func `who has seen a change does not wait for what was read before it`() throws {
        let rendered = SharedCache()
        let old = underWay(rendered, 1, of: app, "old")
        rendered.drop(try #require(app))
        #expect(try respond(rendered, 1, of: app, "new").body == Array("new".utf8))
        #expect(old.finish() == "old")
        #expect(text(try recall(rendered, 1)) == "new")
    }

    @Test(arguments: [true, false])
    func `a publish of one app leaves alone what is being rendered of another`(_ isRefreshed: Bool) throws {
        let rendered = SharedCache()
        let (app, other) = (try #require(app), try #require(other))
        try respond(rendered, 1, of: app, "menu")
        #expect(try recall(rendered, 1) != nil)
        let rendering = underWay(rendered, 1, of: other, "other menu")
        if isRefreshed { rendered.refreshEach(app) { try? self.rendered("new", $0, of: app, in: rendered) } } else { rendered.drop(app) }
        let hasFinished = Mutex(false)
        // Requests that arrive in the meantime wait for the rendering, or find its result.
        let bodies = together(4) { [self] allHaveBegun in
            allHaveBegun()
            let isFirst = hasFinished.withLock { hasFinished in
                defer { hasFinished = true }
                return !hasFinished
            }
            if isFirst { return rendering.finish() }
            return String(decoding: try respond(rendered, 1, of: other, "rendered again").body, as: UTF8.self)
        }
        #expect(bodies == Array(repeating: "other menu", count: 4))
        #expect(text(try recall(rendered, 1, of: other)) == "other menu")
        #expect(text(try recall(rendered, 1)) == (isRefreshed ? "new" : nil))
    }

    @Test(arguments: ["drop", "refresh", "dropAll"])
    func `does not keep what was rendered from before a change`(_ change: String) throws {
        let rendered = SharedCache()
        let app = try #require(app)
        // Whether or not the app has a cached answer.
        for number in [1, 2] {
            try respond(rendered, number, of: app, "old menu") {
                switch change {
                case "drop": rendered.drop(app)
                case "refresh": rendered.refresh(app) { _ in [] }
                default: rendered.dropAll()
                }
            }
            #expect(try recall(rendered, number) == nil)
            try respond(rendered, 3, of: app, "menu")
        }
    }

    @Test func `what is rendered after a change is kept while another rendering from before it ends`() throws {
        let rendered = SharedCache()
        let app = try #require(app)
        try respond(rendered, 2, of: app, "menu")
        #expect(try recall(rendered, 2) != nil)
        let old = underWay(rendered, 1, of: app, "old")
        let new = Mutex<UnderWay?>(nil)
        rendered.refreshEach(app) { fetch in
            new.withLock { $0 = underWay(rendered, 1, of: app, "new") }
            return try? self.rendered("new menu", fetch, of: app, in: rendered)
        }
        #expect(old.finish() == "old")
        #expect(try recall(rendered, 1) == nil)
        #expect(new.withLock { $0 }?.finish() == "new")
        #expect(text(try recall(rendered, 1)) == "new")
        #expect(text(try recall(rendered, 2)) == "new menu")
    }

    @Test func `nothing is left of apps of which nothing is kept`() throws {
        let rendered = SharedCache()
        let request = try Request(.get, "/")
        for number in 0..<10 {
            let id = try #require(AppID("com.example.app\(number)"))
            _ = try rendered.response(to: request, try fetch(number), of: id, AnswerKey(of: request, seed: rendered.seed), .unknown) {
                () throws(Failure) in .response(Response(.notFound))
            }
        }
        #expect(rendered.byteCount == 0)
        #expect(rendered.appCount == 0)
    }

    @Test func `an event loop answers from copies of its own until something changes`() throws {
        let rendered = SharedCache()
        let memory = LoopCache(of: rendered)
        try respond(rendered, 1, of: app, "menu")
        for _ in 0..<5 {
            let answer = try #require(try recall(rendered, 1, by: memory))
            #expect(answer.status == .ok && text(answer) == "menu")
            #expect(try recall(rendered, 1, ["If-None-Match: *"], by: memory)?.status == .notModified)
            #expect(try recall(rendered, 2, by: memory) == nil)
        }
        rendered.drop(try #require(app))
        #expect(try recall(rendered, 1, by: memory) == nil)
        try respond(rendered, 1, of: app, "new menu")
        for _ in 0..<5 { #expect(text(try recall(rendered, 1, by: memory)) == "new menu") }
    }

    @Test func `drops what is kept of an app, and of no other`() throws {
        let rendered = SharedCache()
        try respond(rendered, 1, of: app, "menu")
        try respond(rendered, 1, of: other, "menu")
        rendered.drop(try #require(app))
        #expect(try recall(rendered, 1) == nil)
        #expect(try recall(rendered, 1, of: other) != nil)
    }

    @Test func `a change renders anew what is asked for, and drops the rest`() throws {
        let rendered = SharedCache()
        let memory = LoopCache(of: rendered)
        let app = try #require(app)
        try respond(rendered, 1, of: app, "menu", fields: ["Accept-Encoding": "gzip"])
        try respond(rendered, 2, of: app, "menu")
        try respond(rendered, 1, of: other, "menu")
        let fields = ["Accept-Encoding: gzip"]
        let previous = try #require(try recall(rendered, 1, fields, by: memory))
        rendered.refreshEach(app) { fetch in
            #expect(fetch.client.build.version.description == "1.0.1" && fetch.wantsGzip && fetch.resource == .shortcuts(.json))
            #expect(fetch.client.language == .exactly(LanguageTag("en")))
            // No request waits for it.
            #expect((try? recall(rendered, 1, fields, by: memory)).flatMap { $0?.body } == previous.body)
            return try? self.rendered("new", fetch, of: app, in: rendered)
        }
        #expect(try recall(rendered, 1, fields, by: memory)?.body == gzip(Array("new".utf8))?[...])
        #expect(try recall(rendered, 2, by: memory) == nil)
        #expect(try recall(rendered, 1, of: other, by: memory) != nil)
    }

    @Test func `what nobody asks for is rendered anew a few times only`() throws {
        let rendered = SharedCache()
        let app = try #require(app)
        try respond(rendered, 1, of: app, "menu")
        for _ in 0..<10 { #expect(try recall(rendered, 1) != nil) }
        var renderings = 0
        for _ in 0..<10 {
            rendered.refreshEach(app) { fetch in
                renderings += 1
                return try? self.rendered("new", fetch, of: app, in: rendered)
            }
        }
        #expect(renderings == 3)
        #expect(try recall(rendered, 1) == nil && rendered.byteCount == 0)
    }

    @Test func `what is dropped while it is rendered anew is not kept`() throws {
        let rendered = SharedCache()
        let app = try #require(app)
        try respond(rendered, 1, of: app, "menu")
        #expect(try recall(rendered, 1) != nil)
        rendered.refreshEach(app) { fetch in
            rendered.drop(app)
            return try? self.rendered("new", fetch, of: app, in: rendered)
        }
        #expect(try recall(rendered, 1) == nil)
    }

    /// Bodies that share a common part, like menus, and have a part that differs.
    private func body(_ number: Int) -> String {
        (0..<4).map { "{\"type\": \"com.example.notes.compose\", \"localizedTitle\": \"\($0 * number)\"}" }.joined(separator: ", ")
    }

    @Test(arguments: [100_000, 1_000_000])
    func `stays within its budget and keeps what is asked for`(_ budget: Int) throws {
        let rendered = SharedCache(budget: budget)
        let memory = LoopCache(of: rendered)
        let (last, hot) = (budget / 100 - 1, budget)
        try respond(rendered, hot, of: app, "menu")
        for number in 0...last {
            let owner = number % 2 == 0 ? app : other
            try respond(rendered, number, of: owner, body(number))
            #expect(text(try recall(rendered, number, of: owner, by: memory)) == body(number))
            #expect(rendered.byteCount <= budget)
            #expect(try recall(rendered, hot) != nil)
        }
        #expect(try recall(rendered, 0) == nil)
        #expect(try recall(rendered, last, of: other) != nil)
        rendered.drop(try #require(app))
        rendered.drop(try #require(other))
        #expect(try recall(rendered, last, of: other, by: memory) == nil)
    }

    @Test func `answers that are used outlive answers that are fetched once`() throws {
        let rendered = SharedCache(budget: 100_000)
        for number in 0..<20 { try respond(rendered, number, of: app, body(number)) }
        for number in 0..<5_000 {
            try respond(rendered, number, of: other, body(number))
            if number % 20 == 0 { for used in 0..<20 { #expect(try recall(rendered, used) != nil) } }
        }
    }

    @Test func `what is too large for the budget is answered and not kept`() throws {
        let rendered = SharedCache(budget: 100_000)
        var generator = SystemRandomNumberGenerator()
        let large = String(decoding: (0..<90_000).map { _ in UInt8.random(in: 0x21...0x7E, using: &generator) }, as: UTF8.self)
        try respond(rendered, 1, of: app, large)
        #expect(try recall(rendered, 1) == nil)
    }
}

extension SharedCache {
    fileprivate func refreshEach(_ app: AppID, _ render: (FetchRequest) -> CacheEntry?) {
        refresh(app) { $0.map(render).prefix { $0 != nil }.compactMap { $0 } }
    }
}
