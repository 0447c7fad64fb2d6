import Testing

@testable import QuickActions

private let long = String(repeating: "a", count: 33)

@Suite struct TemplateTests {
    @Test(arguments: [
        ("", ""), ("New", "New"), ("Message {name}", "Message Ann"), ("{name}{name}", "AnnAnn"), ("{{name}}", "{name}"),
        ("{{{name}}}", "{Ann}"), ("a{{b}}c{name}d", "a{b}cAnnd"), ("{name}에게 쓰기", "Ann에게 쓰기"), ("{{}}", "{}"), ("}}{{", "}{"),
        ("e\u{301}{name}\u{301}", "e\u{301}Ann\u{301}"),
    ])
    func `placeholders get values, and double braces are braces`(_ text: String, _ filled: String) throws {
        #expect(try Template(Text(text)).filled(with: ["name": "Ann"]).map { Text($0) } == Text(filled))
    }

    @Test(arguments: [
        ("{", "{"), ("}", "}"), ("a{b", "{"), ("a}b", "}"), ("{}", "{}"), ("{Name}", "{Name}"), ("{na me}", "{na me}"), ("{1a}", "{1a}"),
        ("{a-b}", "{a-b}"), ("{é}", "{é}"), ("{a{b}", "{"), ("{a}}", "}"), ("{{{a}}", "}"), ("{\(long)}", "{\(long)}"),
    ])
    func `braces alone are refused`(_ text: String, _ part: String) {
        #expect(throws: Template.ParseError(part: part)) { try Template(Text(text)) }
    }

    @Test func `a name has up to 32 letters and digits`() throws {
        let name = "a" + String(repeating: "Z", count: 30) + "9"
        #expect(try Template(Text("{\(name)}")).placeholders == [name])
    }

    @Test func `a missing value gives no text`() throws {
        #expect(try Template("{name} {other}").filled(with: ["name": "Ann"]) == nil)
        #expect(try Template("{name}").filled(with: ["name": ""]) == "")
    }

    @Test(arguments: [
        ("mail://to?a={v}", "a b&c=d#e/é{}%", "mail://to?a=a%20b%26c%3Dd%23e%2F%C3%A9%7B%7D%25"), ("mail:x?{{{v}}}", "1", "mail:x?%7B1%7D"),
        ("mail:x?v={v}", "-._~aZ9", "mail:x?v=-._~aZ9"), ("mail:x?v={v}", "\u{0}\n{v}", "mail:x?v=%00%0A%7Bv%7D"),
    ])
    func `a URL's values are percent-encoded`(_ text: String, _ value: String, _ filled: String) throws {
        let url = try #require(try Template(Text(text)).filledURL(with: ["v": value]))
        #expect(url == filled)
        #expect(try ActionURL(checking: url).description == filled)
    }

    @Test func `values are carried as one string`() throws {
        let values = ["b": "ü\"\\\n{a}", "a": "", "No": "x", "n-o": "y"]
        let text = PersonalValues.encoded(values)
        #expect(text == #"{"a":"","b":"ü\"\\\n{a}"}"#)
        #expect(PersonalValues.read([JSON.Member("longpress.values", .string(text))]) == ["b": "ü\"\\\n{a}", "a": ""])
    }

    @Test(arguments: ["", "{", "[]", "7", #"{"a":1,"B":"x"}"#, #"{"a":"x","a":"y"}"#])
    func `damaged values are none`(_ text: String) {
        #expect(PersonalValues.read([JSON.Member("longpress.values", .string(text))]) == [:])
        #expect(PersonalValues.read([JSON.Member("longpress.values", 7)]) == [:])
    }
}
