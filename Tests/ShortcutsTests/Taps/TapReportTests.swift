import QuickActions
import Testing

@testable import Shortcuts

@Suite struct TapReportTests {
    private static let uuid = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
    private let member: Audience
    private let app: AppSnapshot

    init() throws {
        member = try #require(Audience("member"))
        app = AppSnapshot(
            app: try Self.app(),
            timelines: [
                .default: try timeline(["1.0": "a", "2.0": "b<a,older -gone"]), member: try timeline(["1.0": "m"], audience: member),
            ], releases: [], lastRevision: 7)
    }

    private static func app() throws -> App {
        App(id: try #require(AppID("com.example.notes")), name: nil, defaultLanguage: try tag("en"), fallbackURL: nil)
    }

    private func report(_ text: String, from installed: String = "2.0") throws -> TapReport {
        let json = try read(text)
        return try TapReportDocument(json).report(from: try version(installed), in: app)
    }

    /// A report with these entries.
    private func report(counts: String, _ more: String = "") throws -> TapReport {
        try report(#"{"batch": "\#(Self.uuid)", "counts": [\#(counts)]\#(more)}"#)
    }

    private func entry(_ item: String, _ count: Int, _ more: String = "") -> String {
        #"{"item": "\#(item)", "type": "t", "outcome": "current", "count": \#(count)\#(more)}"#
    }

    private func told(_ report: TapReport) -> [String] {
        report.counts.map { kind, count in
            let registered = "\(kind.tagVersion?.description ?? "-") \(kind.revision?.description ?? "-")"
            return "\(kind.audience?.description ?? "?") \(kind.item?.description ?? "-") \(registered) \(kind.outcome) \(count)"
        }
    }

    @Test func `says what was tapped, and nothing else`() throws {
        let taps = """
            {"item": "a", "type": "t", "registeredBy": {"version": "1.0+7", "revision": 3}, "outcome": "replaced", "count": 2},
            {"item": null, "type": "t\\u0007", "registeredBy": null, "outcome": "static", "count": 1000}
            """
        let report = try report(counts: taps, #", "audience": "member""#)
        #expect(told(report) == ["member - - - static 1000", "member a 1.0.0 3 replaced 2"])
        #expect(report.total == 1002 && report.counts.allSatisfy { $0.kind.version?.description == "2.0.0" })
        #expect(report.counts.allSatisfy { $0.kind.counting == .reported })
    }

    @Test func `counts what a client without a menu of its own is served as default`() throws {
        #expect(told(try report(counts: entry("a", 1))) == ["default a - - current 1"])
        #expect(told(try report(counts: entry("a", 1), #", "audience": "guest""#)) == ["default a - - current 1"])
    }

    @Test(arguments: [(-1, false), (1, true), (7, true), (8, false), (Int64.min, false), (.max, false)])
    func `knows the app's revisions`(_ number: Int64, _ isKnown: Bool) throws {
        let report = try report(counts: entry("a", 1, #", "registeredBy": {"version": "1.0", "revision": \#(number)}"#))
        #expect(told(report) == ["default a 1.0.0 \(isKnown ? "\(number)" : "-") current 1"])
    }

    @Test func `leaves out items of a draft that a preview link showed`() throws {
        let draft = entry("a", 3, #", "registeredBy": {"version": "1.0", "revision": 0}"#)
        #expect(told(try report(counts: "\(draft),\(entry("a", 1))")) == ["default a - - current 1"])
    }

    @Test func `names the ids that a set has, replaces or retires, of any audience`() throws {
        let ids = ["a", "b", "older", "gone", "m", "invented"]
        let report = try report(counts: ids.map { entry($0, 1) }.joined(separator: ","))
        #expect(report.mentionedIDs == Set(try ids.dropLast().map(id)))
        #expect(report.knownVersions == [try version("1.0"), try version("2.0")] && !report.hasReleases)
    }

    @Test func `equal entries are one, in any order and in any case of the id`() throws {
        let one = try report(counts: [entry("a", 2), entry("b", 3), entry("a", 4)].joined(separator: ","))
        let other = try report(
            #"{"batch": "\#(Self.uuid.uppercased())", "counts": [\#(entry("b", 3)), \#(entry("a", 6))], "later": {"x": [1]}}"#)
        #expect(told(one) == ["default a - - current 6", "default b - - current 3"] && told(other) == told(one) && one.id == other.id)
    }

    @Test func `ignores members that it does not know, at every level`() throws {
        let values = #""longpress.values": "{\"name\":\"Jane\"}", "values": {"name": "Jane"}"#
        let taps = entry("a", 1, #", \#(values), "registeredBy": {"version": "1.0", \#(values)}"#)
        #expect(told(try report(counts: taps, ", " + values)) == ["default a 1.0.0 - current 1"])
    }

    @Test func `lists all violations by their paths`() throws {
        let text = """
            {"batch": "{3f2504e0-4f89-41d3-9a0c-0305e82c3301}", "audience": "Member!", "counts": [
                {"item": "-a", "registeredBy": {"revision": "7"}, "outcome": "own", "count": 0},
                {"item": 7, "type": null, "registeredBy": [], "outcome": 1, "count": -1},
                {"type": "t", "registeredBy": {"version": "1.0-beta", "revision": 1.5}, "count": 1001},
                {"type": 1, "outcome": "static", "count": "1"}, {"type": "t", "outcome": "static", "count": 1.0}, null,
                {"type": "t", "outcome": "static", "count": 99999999999999999999}
            ]}
            """
        let failure = failure { try report(text) }
        #expect(failure?.code == .invalidDocument)
        #expect(
            failure?.found == [
                "batch: id-invalid", "audience: audience-invalid", "counts[0].item: id-invalid", "counts[0].type: required",
                "counts[0].registeredBy.version: required", "counts[0].registeredBy.revision: type-mismatch",
                "counts[0].outcome: outcome-unknown", "counts[0].count: integer-out-of-range", "counts[1].item: type-mismatch",
                "counts[1].type: required", "counts[1].registeredBy: type-mismatch", "counts[1].outcome: type-mismatch",
                "counts[1].count: integer-out-of-range", "counts[2].registeredBy.version: invalid-version",
                "counts[2].registeredBy.revision: type-mismatch", "counts[2].outcome: required", "counts[2].count: integer-out-of-range",
                "counts[3].type: type-mismatch", "counts[3].count: type-mismatch", "counts[4].count: type-mismatch",
                "counts[5]: type-mismatch", "counts[6].count: integer-out-of-range",
            ])
    }

    @Test(arguments: ["[]", "null", "7", #""\#(uuid)""#]) func `is an object`(_ text: String) {
        #expect(failure { try report(text) }?.found == [": type-mismatch"])
    }

    @Test func `has a batch and its counts`() {
        #expect(failure { try report("{}") }?.found == ["batch: required", "counts: required"])
        #expect(failure { try report(#"{"batch": null, "counts": {}}"#) }?.found == ["batch: required", "counts: type-mismatch"])
    }

    @Test func `has at most a hundred entries`() throws {
        #expect(try report(counts: (1...100).map { entry("a\($0)", 1000) }.joined(separator: ",")).total == 100_000)
        let tooMany = (1...101).map { entry("a\($0)", 1) }.joined(separator: ",")
        #expect(failure { try report(counts: tooMany) }?.found == ["counts: too-many-items"])
        #expect(try report(counts: "").total == 0)
    }

    @Test(arguments: [
        "", "3f2504e04f8941d39a0c0305e82c3301", "3f2504e0-4f89-41d3-9a0c-0305e82c330", "3f2504e0-4f89-41d3-9a0c-0305e82c3301 ",
        "3f2504e0-4f89-41d3-9a0c-0305e82c330g", "３f2504e0-4f89-41d3-9a0c-0305e82c3301", "3f2504e-04f89-41d3-9a0c-0305e82c3301",
        "+f2504e0-4f89-41d3-9a0c-0305e82c3301",
    ]) func `an id of a batch is a UUID`(_ text: String) {
        #expect(TapReport.ID(text) == nil)
    }

    @Test func `an id of a batch has 16 bytes`() {
        #expect(TapReport.ID("00010203-0405-0607-0809-0a0b0C0D0E0F")?.bytes == Array(0..<16))
    }

    @Test func `parts of any size add up to the whole`() throws {
        var generator = SystemRandomNumberGenerator()
        let report = try report(counts: (1...20).map { entry("a\($0 % 7)", $0) }.joined(separator: ","))
        for _ in 0..<200 {
            var (counted, sum): (Int, [TapKind: Int]) = (0, [:])
            while counted < report.total {
                let part = report.counts(after: counted, atMost: Int.random(in: 1...60, using: &generator))
                #expect(!part.isEmpty)
                sum.merge(part, uniquingKeysWith: +)
                counted += part.values.reduce(0, +)
            }
            #expect(sum == Dictionary(uniqueKeysWithValues: report.counts.map { ($0.kind, $0.count) }))
        }
        #expect(report.counts(after: report.total, atMost: 5).isEmpty && report.counts(after: 0, atMost: 0).isEmpty)
    }
}

@Suite struct CountedTapTests {
    private func tap(_ members: String) throws -> Tap {
        let json = try read(#"{"type": "t"\#(members)}"#)
        return try TapDocument(json).tap(version: try version("1.0"), language: .none)
    }

    @Test(arguments: [("", true), (#", "counted": true"#, true), (#", "counted": null"#, true), (#", "counted": false"#, false)])
    func `a client may say that it counts the tap itself`(_ members: String, _ isCounted: Bool) throws {
        #expect(try tap(members).isCounted == isCounted)
    }

    @Test func `counted is true or false`() {
        #expect(failure { try tap(#", "counted": "no""#) }?.found == ["counted: type-mismatch"])
    }

    @Test func `values of personal items come back to nobody`() throws {
        let members = #"""
            , "values": {"name": "Jane"}, "longpress.values": "Jane",
            "userInfo": {"longpress.values": "{\"name\":\"Jane\"}", "mine": 1}
            """#
        let snapshot = try snapshot([try timeline(["1.0": "a"])])
        let answer = TapAnswer(to: try tap(members), in: snapshot)
        #expect(answer.json["tapped"]?.text == #"{"mine":1}"# && !answer.json.text.contains("Jane"))
        #expect(!"\(answer.kind)".contains("Jane"))
    }
}
