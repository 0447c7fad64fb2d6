import Foundation
import Testing

@testable import Shortcuts

@Suite struct ShortcutsAnswerTests {
    @Test func `matches the example of the contract`() throws {
        let set = try set(
            #"{"items":[{"id":"compose","type":"c","title":{"en":"N","ko":"새 메모"},"subtitle":{"ko":"빈"},"icon":{"symbol":"s","file":"F","type":0},"userInfo":{"folder":"inbox"}},{"id":"off","type":"o","title":{"en":"O"},"enabled":false}]}"#
        )
        let published = PublishedSet(version: try version("2.0"), revision: 42, publishedAt: author.at, by: "ci", set: set)
        let app = try snapshot(
            [Timeline(audience: .default, sets: [published])],
            releases: [try release("2.0", #"{"staticItems":[{"type":"t","title":"T"}]}"#)])
        let json = try #require(ShortcutsAnswer(for: Client(build: try build("2.1"), language: .exactly(try tag("ko-KR"))), in: app)).json
        #expect(
            json.text.hasPrefix(
                #"{"app":"com.example.notes","version":"2.1.0","audience":"default","revision":42,"effectiveFrom":"2.0.0","language":"ko","visibleBudget":3,"items":[{"type":"c","localizedTitle":"새 메모","localizedSubtitle":"빈","icon":{"systemImageName":"s","templateImageName":"F","type":"compose"},"visible":true,"userInfo":{"folder":"inbox","longpress.schema":1,"#
            ))
        guard case .array(let items)? = json["items"] else { return #expect(Bool(false)) }
        #expect(items.count == 1)
    }

    @Test(arguments: [
        (0, [true, true, true, true, false]), (3, [true, false, false, false, false]), (5, [false, false, false, false, false]),
    ])
    func `shows what the budget leaves`(staticItems: Int, visible: [Bool]) throws {
        let items = Array(repeating: #"{"type":"t","title":"T"}"#, count: staticItems).joined(separator: ",")
        let app = try snapshot([try timeline(["1.0": "a !x b c d e"])], releases: [try release("1.0", #"{"staticItems":[\#(items)]}"#)])
        let json = try #require(ShortcutsAnswer(for: Client(build: try build("1.0")), in: app)).json
        #expect((0..<5).map { json["items"]?[$0]?["visible"]?.text == "true" } == visible)
    }

    @Test func `an empty set clears the menu`() throws {
        let app = try snapshot([try timeline(["1.0": "a", "2.0": ""])])
        #expect(try #require(ShortcutsAnswer(for: Client(build: try build("2.5")), in: app)).json["items"]?.text == "[]")
    }

    @Test func `the XML form is what Foundation reads`() throws {
        let set = try set(
            #"{"items":[{"id":"a","type":"<&>\"'","title":{"en":" T ]]> "},"userInfo":{"k<&":"a\r\nb\tc","d":{"$date":"2026-01-31T09:00:00Z"},"x":{"$data":"AQI="},"t":true,"f":false,"i":-9223372036854775808,"r":1e16,"n":-0.5,"s":"","l":[],"m":{},"e":"😀","o":1.0}}]}"#
        )
        let published = PublishedSet(version: try version("2.0"), revision: 42, publishedAt: author.at, by: "ci", set: set)
        let app = try snapshot([Timeline(audience: .default, sets: [published])])
        let answer = try #require(ShortcutsAnswer(for: Client(build: try build("2.0")), in: app))
        let list = try PropertyListSerialization.propertyList(from: Data(answer.json.xmlPropertyList), format: nil) as? [String: Any]
        let item = try #require((list?["items"] as? [[String: Any]])?.first)
        #expect(item["type"] as? String == "<&>\"'")
        #expect(item["localizedTitle"] as? String == " T ]]> ")
        let info = try #require(item["userInfo"] as? [String: Any])
        #expect(info["k<&"] as? String == "a\r\nb\tc")
        #expect(info["d"] as? Date == Date(timeIntervalSince1970: 1_769_850_000))
        #expect(info["x"] as? Data == Data([1, 2]))
        #expect(info["i"] as? Int64 == .min)
        #expect(info["r"] as? Double == 1e16)
        #expect(info["n"] as? Double == -0.5)
        #expect(info["e"] as? String == "😀")
        #expect((info["l"] as? [Any])?.isEmpty == true && (info["m"] as? [String: Any])?.isEmpty == true && info["s"] as? String == "")
        let xml = text(answer.json.xmlPropertyList)
        #expect(xml.contains("<key>t</key>\n\t\t\t\t<true/>") && xml.contains("<key>o</key>\n\t\t\t\t<real>1.0</real>"))
    }

    @Test func `a null is left out with its key`() throws {
        let list = try PropertyListSerialization.propertyList(
            from: Data(try read(#"{"a":null,"b":1,"c":null}"#).xmlPropertyList), format: nil)
        #expect((list as? [String: Any])?.keys.sorted() == ["b"])
    }
}
