import Foundation
import HTTP
import Logging
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import HTTPServer
@testable import Service

@Suite struct LogTests {
    private func line(_ format: LineLogHandler.Format, _ metadata: Logger.Metadata) -> String {
        let lines = Mutex("")
        let logger = Logger(label: "test") { _ in
            LineLogHandler(format: format, level: LogLevel(.info)) { line in lines.withLock { $0 += line } }
        }
        logger.info("said", metadata: metadata)
        return lines.withLock { $0 }
    }

    @Test func `values keep their type in JSON`() throws {
        let said = line(
            .json,
            [
                "whole": .stringConvertible(42), "long": .stringConvertible(Int64.max), "real": .stringConvertible(1.5),
                "truth": .stringConvertible(true), "text": "42", "list": [.stringConvertible(1), "a"], "more": ["n": .stringConvertible(0)],
                "nan": .stringConvertible(Double.nan),
            ])
        for member in [
            #""whole":42,"#, #""long":9223372036854775807,"#, #""real":1.5,"#, #""truth":true,"#, #""text":"42","#, #""list":[1,"a"],"#,
            #""more":{"n":0},"#, #""nan":"nan","#,
        ] { #expect(said.replacing("}\n", with: ",").contains(member), "\(member) in \(said)") }
        guard case .object = try JSON(document: Array(said.utf8)) else {
            Issue.record("\(said) is no object")
            return
        }
    }

    @Test(arguments: [
        ("a\nb", #"k="a\nb""#), ("a\r\n2026 error", #"k="a\r\n2026 error""#), ("\u{1B}[31m", #"k="\u{1b}[31m""#),
        ("\u{9B}2J", #"k="\u{9b}2J""#),
        ("\u{202E}x", #"k="\u{202e}x""#), ("\u{2028}", #"k="\u{2028}""#), ("a=b c=d", #"k="a=b c=d""#), ("", #"k="""#), ("\"", #"k="\"""#),
        ("\\n", #"k="\\n""#),
        ("쓰기", #"k="쓰기""#), ("plain", "k=plain"),
    ])
    func `no value injects a line or a control character`(_ value: String, _ written: String) {
        let said = line(.text, ["k": .string(value)])
        #expect(said.hasSuffix(" \(written)\n"))
        #expect(said.unicodeScalars.filter { $0.properties.generalCategory == .control } == ["\n"])
    }

    @Test func `a long value is whole`() {
        #expect(line(.text, ["k": .string(String(repeating: "word ", count: 500))]).utf8.count > 2500)
    }

    @Test func `the rate limit is a burst of 100, then one a second, and counts skipped lines`() {
        let start = ContinuousClock.now
        var limit = LogRateLimit(at: start)
        #expect((0..<100).allSatisfy { _ in limit.take(at: start) == 0 })
        #expect((0..<50).allSatisfy { _ in limit.take(at: start + .milliseconds(900)) == nil })
        #expect(limit.take(at: start + .seconds(1)) == 50)
        #expect(limit.take(at: start + .seconds(1)) == nil)
        #expect(limit.take(at: start + .seconds(3600)) == 1)
    }

    @Test(
        arguments: [
            (Status.unauthorized, "unauthenticated", nil, 100), (.unauthorized, "unauthenticated", "an expired one", 100),
            (.forbidden, "cross-site", nil, 100), (.tooManyRequests, "too-many-requests", nil, 100),
            (.notFound, "unknown-resource", nil, 100), (.tooManyRequests, "too-many-requests", "ci", 1),
            (.serviceUnavailable, "overloaded", "ci", 1), (.serviceUnavailable, "storage-unavailable", "ci", 150),
            (.forbidden, "forbidden", "ci", 150), (.unprocessableContent, "invalid-document", "ci", 150),
        ] as [(Status, String, String?, Int)])
    func `refusals are bounded unless a valid token caused them`(_ status: Status, _ code: String, _ token: String?, _ logged: Int) {
        let lines = Mutex(0)
        let logger = Logger(label: "test") { _ in
            LineLogHandler(format: .json, level: LogLevel(.info)) { _ in lines.withLock { $0 += 1 } }
        }
        let log = RefusalLog(metrics: Metrics(), logger: logger)
        var subject = Refusal.Subject()
        subject.token = token
        let record = RequestRecord(route: nil, method: .get, status: status, nanoseconds: 0, id: "1", isFromCache: false, refusal: nil)
        let start = ContinuousClock.now
        for _ in 0..<150 { log.note(Refusal(code: code, detail: "", about: subject), of: record) }
        let refilled = Int((ContinuousClock.now - start) / .seconds(1))
        #expect((logged...logged + refilled).contains(lines.withLock { $0 }))
    }

    @Test func `writing does not wait for the reader, and dropped lines are reported`() throws {
        let pipe = Pipe()
        let lines = LogWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor) { "lost \($0)\n" }
        // More than the pipe and the queue can hold. The pipe is read only afterwards.
        for _ in 0..<6000 { lines.write(String(repeating: "x", count: 1023) + "\n") }
        let read = Mutex(Data())
        while !read.withLock({ String(decoding: $0.suffix(40), as: UTF8.self).contains("lost ") }) {
            let more = pipe.fileHandleForReading.availableData
            read.withLock { $0 += more }
        }
        let all = String(decoding: read.withLock { $0 }, as: UTF8.self).split(separator: "\n")
        let lost = try #require(all.last?.split(separator: " ").last.flatMap { Int($0) })
        #expect(all.count - 1 + lost == 6000 && lost > 0)
    }

    @Test func `a closed reader is no error`() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let lines = LogWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor) { "lost \($0)\n" }
        try pipe.fileHandleForReading.close()
        lines.write("nobody reads this\n")
        lines.flush()
        lines.write("nor this\n")
        lines.flush()
    }
}
