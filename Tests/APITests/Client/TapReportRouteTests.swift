import Foundation
import HTTP
import QuickActions
import Shortcuts
import Testing

@testable import API

@Suite struct TapReportRouteTests {
    private let bench: AdminBench

    init() throws {
        bench = try AdminBench()
    }

    /// - Returns: the status, or the code of a problem.
    private func send(
        _ count: Int, _ batch: UUID = UUID(), to path: String = "/apps/{app}/versions/2.0/taps/counts", from address: String = "192.0.2.1",
        _ more: String = ""
    ) throws -> String {
        let entry = #"{"item": "compose", "type": "t", "outcome": "current", "count": \#(count)\#(more)}"#
        return told(try bench.post(path, #"{"batch": "\#(batch)", "counts": [\#(entry)]\#(more)}"#, from: address))
    }

    private func told(_ response: Response) -> String {
        response.problem ?? "\(response.status.code)"
    }

    private func statistics(_ query: String = "") throws -> JSON {
        let response = try bench.ask(.get, "/apps/{app}/taps?since=2026-01-01T00:00:00Z\(query)", by: "lp_first")
        #expect(response.status == .ok)
        return try JSON(document: response.body)
    }

    private func reported() throws -> String { text(try statistics()["reported"]) }

    private func text(_ json: JSON?) -> String { String(decoding: json?.encoded ?? [], as: UTF8.self) }

    @Test func `a batch is accepted without a body, and counts once`() throws {
        let batch = UUID()
        let answer = try bench.post(
            "/apps/{app}/versions/2.0/taps/counts",
            #"{"batch": "\#(batch)", "counts": [{"item": "compose", "type": "t", "outcome": "current", "count": 3}]}"#)
        #expect(answer.status == .accepted && answer.body.isEmpty && answer.fields.first("Cache-Control") == "no-store")
        #expect(try send(3, batch) == "202" && send(5, batch) == "202" && reported() == #"{"current":3}"#)
    }

    @Test func `a hundred taps an hour of an address are counted, the rest later`() throws {
        let batch = UUID()
        #expect(try send(60) == "202")
        #expect(try send(60, batch) == "too-many-requests" && reported() == #"{"current":100}"#)
        // The repetition of the batch waits, that of a complete one does not.
        #expect(try send(60, batch) == "too-many-requests" && send(1) == "too-many-requests")
        let other = UUID()
        #expect(try send(2, other, from: "192.0.2.2") == "202" && send(2, other) == "202")
        // Another address may go on with the batch, and another app has its own limit.
        #expect(try send(60, batch, from: "192.0.2.2") == "202" && send(60, batch) == "202")
        #expect(try reported() == #"{"current":122}"#)
        _ = try bench.ask(.put, "/apps/com.example.second", #"{"defaultLanguage": "en"}"#, by: "lp_first")
        #expect(try send(100, to: "/apps/com.example.second/versions/2.0/taps/counts") == "202")
    }

    @Test func `above the limit, Retry-After says when`() throws {
        let response = try bench.post(
            "/apps/{app}/versions/2.0/taps/counts",
            #"{"batch": "\#(UUID())", "counts": [{"type": "t", "outcome": "static", "count": 150}]}"#)
        #expect(told(response) == "too-many-requests" && response.fields.first("Retry-After") == "3600")
        #expect(text(try JSON(document: response.body)["detail"]).contains("50 taps of the batch are not counted yet"))
    }

    @Test func `a network of IPv6 is one address`() throws {
        #expect(try send(100, from: "2001:db8::1") == "202")
        #expect(try send(1, from: "2001:db8::2") == "too-many-requests" && send(1, from: "2001:db8:0:1::1") == "202")
    }

    @Test func `answers errors like the other operations of clients`() throws {
        func post(_ body: String, _ path: String = "/apps/{app}/versions/2.0/taps/counts") throws -> String {
            told(try bench.post(path, body))
        }
        #expect(try post("{", "/apps/com.example.none/versions/x/taps/counts") == "unknown-app")
        #expect(try post("{", "/apps/{app}/versions/2.0-beta/taps/counts") == "invalid-version")
        #expect(try post("{", "/apps/{app}/versions/2.0/taps/counts?a=1&a=2") == "invalid-parameter")
        #expect(try post("{") == "malformed-json" && post("") == "malformed-json" && post(#"{"a": 1, "a": 2}"#) == "malformed-json")
        #expect(try post("{}") == "invalid-document" && post("[]") == "invalid-document")
        #expect(try post(#"{"batch": "\#(UUID())", "counts": []}"#) == "202")
        #expect(try send(0) == "invalid-document" && send(1001) == "invalid-document" && send(-1) == "invalid-document")
        #expect(try reported() == "{}")
    }

    @Test func `values are neither stored nor sent back`() throws {
        #expect(try send(1, UUID(), #", "values": {"name": "Jane"}, "longpress.values": "Jane""#) == "202")
        #expect(try !text(statistics("&by=audience,revision,day")).contains("Jane"))
        let refused = try bench.post(
            "/apps/{app}/versions/2.0/taps/counts", #"{"values": {"name": "Jane"}, "counts": [{"longpress.values": "Jane"}]}"#)
        #expect(told(refused) == "invalid-document" && !String(decoding: refused.body, as: UTF8.self).contains("Jane"))
    }

    @Test func `statistics say who counted, by audience, revision and day`() throws {
        #expect(try send(3, UUID(), #", "registeredBy": {"version": "1.0", "revision": 2}"#) == "202")
        let row = #""item":"compose","tagVersion":"1.0.0","version":"2.0.0","outcome":"current""#
        let counts = #""count":3,"resolved":0,"reported":3"#
        #expect(text(try statistics()["items"]) == "[{\(row),\(counts)}]")
        #expect(
            text(try statistics("&by=audience,revision")["items"]) == #"[{\#(row),"audience":"default","revision":2,\#(counts)}]"#)
        let byDay = try statistics("&by=day&bucket=day")
        #expect(text(byDay["items"]).contains(#"T00:00:00Z","count":3"#) && !text(byDay["items"]).contains("audience"))
        #expect(text(byDay["buckets"]).contains(#""outcomes":{"current":3},"resolved":{},"reported":{"current":3}"#))
        for query in ["by=", "by=item", "by=day,", "by=day;audience", "by=day&by=day"] {
            let response = try bench.ask(.get, "/apps/{app}/taps?\(query)", by: "lp_first")
            #expect(response.problem == "invalid-parameter")
        }
    }
}

@Suite struct RateLimitTests {
    private let limit = RateLimit(10, within: .seconds(60))

    /// `taken wait`, in events and seconds.
    private func take(_ count: Int, of key: String, at second: Int64) -> String {
        let (taken, wait) = limit.take(count, of: key, at: Timestamp(milliseconds: second * 1000))
        return "\(taken) \(wait)"
    }

    @Test func `takes what the limit allows within any window`() {
        #expect(take(4, of: "a", at: 0) == "4 60")
        #expect(take(4, of: "a", at: 30) == "4 30")
        #expect(take(4, of: "a", at: 45) == "2 15")
        #expect(take(4, of: "a", at: 59) == "0 1")
        #expect(take(9, of: "a", at: 60) == "4 30")
        #expect(take(10, of: "b", at: 60) == "10 60")
    }

    @Test func `gets back what was not used`() {
        _ = take(4, of: "a", at: 0)
        _ = take(6, of: "a", at: 1)
        limit.giveBack(7, of: "a")
        #expect(take(10, of: "a", at: 2) == "7 58")
        limit.giveBack(100, of: "a")
        limit.giveBack(1, of: "unknown")
        #expect(take(100, of: "a", at: 2) == "10 60")
    }
}
