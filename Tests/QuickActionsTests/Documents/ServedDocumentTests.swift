import Testing

@testable import QuickActions

@Suite struct ServedDocumentTests {
    private static let subject = #""app":"com.example.notes","version":"2.1","audience":"default","revision":4"#
    private static let stamp =
        #""longpress.schema":1,"longpress.item":"a","longpress.version":"2.1.0","longpress.revision":4,"longpress.language":"en","longpress.action":"00ff""#
    private static let item = #"{"type":"t","localizedTitle":"T","visible":true,"userInfo":{"n":1,\#(stamp)}}"#
    private static let menu = #"{\#(subject),"language":"en","items":[\#(item)]}"#
    private static let table = #"{\#(subject),"ids":{"a":{"outcome":"current","item":"a","action":"00ff","url":null}}}"#

    private static func bundle(_ more: String = "", menu: String = menu) -> String {
        #"{\#(subject),"continuity":\#(table),"shortcuts":{"en":\#(menu)},"disabled":{"en":[]},"defaultLanguage":"en"\#(more)}"#
    }

    private func refusal(_ text: String, _ read: (JSON) throws(DocumentError) -> some Any) throws -> DocumentError? {
        let json = try QuickActionsTests.read(text)
        do throws(DocumentError) {
            _ = try read(json)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("null", false), (#"{"a":null}"#, false), ("[1,null]", false), ("9223372036854775808", false), ("1e999", false),
        (#"{"$date":"2026-01-31"}"#, false), (#"{"$date":"2026-01-31T09:00:00Z","x":1}"#, false), (#"{"$data":"A"}"#, false),
        ("1.0", true), ("1", true), ("true", true), (#"{"$date":"2026-01-31T09:00:00Z"}"#, true), (#"{"$data":"AAEC"}"#, true),
        (#"{"a":[{"b":"c"}]}"#, true),
    ])
    func `a property list is read back as it is written`(_ text: String, _ isOne: Bool) throws {
        #expect(PropertyList(try read(text))?.json.text == (isOne ? text : nil))
    }

    @Test func `a menu is read`() throws {
        let menu = try ServedMenu(try read(Self.menu), for: try build("2.1+7"))
        #expect(menu.subject.version.description == "2.1.0" && menu.language.description == "en" && menu.items.count == 1)
        #expect(menu.items[0].id.description == "a" && menu.items[0].action == "00ff")
        #expect(menu.items[0].userInfo["longpress.version"] == .string("2.1.0+7") && menu.items[0].userInfo["n"] == .integer(1))
    }

    @Test func `a document of another schema is refused by its name`() throws {
        let other = Self.menu.replacing(#""longpress.schema":1"#, with: #""longpress.schema":2"#)
        #expect(try refusal(other) { json throws(DocumentError) in try ServedMenu(json) } == .schema(2))
        #expect(try refusal(#"{"schema":3}"#) { json throws(DocumentError) in try ServedMenu(json) } == .schema(3))
    }

    @Test func `a bundle is of one piece`() throws {
        #expect(try refusal(Self.bundle()) { json throws(DocumentError) in try CarriedBundle(json, in: .none) } == nil)
        for other in [#""revision":5"#, #""version":"2.2""#, #""audience":"member""#, #""language":"fr""#] {
            let name = other.prefix { $0 != ":" }
            let menu = Self.menu.replacing(try Regex(name + ":(\"[^\"]*\"|4)"), with: other)
            #expect(menu != Self.menu)
            let refusal = try refusal(Self.bundle(menu: menu)) { json throws(DocumentError) in try CarriedBundle(json, in: .none) }
            #expect(refusal == .malformed("the parts of the bundle have different revisions"), "\(other)")
        }
    }

    @Test func `what the table does not list is removed`() throws {
        let bundle = try CarriedBundle(try read(Self.bundle()), in: .none)
        let tagged = try read("{\(Self.stamp)}").members
        let landing = bundle.resolve(type: "t", TapTag(tagged), installed: try build("2.1"))
        #expect(landing.outcome == .current && landing.origin == .same && landing.item?.title == "T")
        let never = tagged.filter { $0.name != "longpress.item" }.adding("longpress.item", "never")
        #expect(bundle.resolve(type: "t", TapTag(never), installed: try build("2.1")).outcome == .removed)
        #expect(bundle.resolve(type: "t", nil, installed: try build("2.1")).outcome == .untagged)
        #expect(bundle.resolve(type: "x", nil, installed: try build("2.1")).outcome == .unknown)
    }
}
