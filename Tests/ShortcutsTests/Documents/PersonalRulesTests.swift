import QuickActions
import Testing

@testable import Shortcuts

private let huge = String(repeating: "x", count: 100_000)

@Suite struct PersonalRulesTests {
    /// The violations of a personal item, without the prefix `items[0].`.
    private func violations(
        title: String = #"{"en":"To {name}"}"#, personal: String = #"{"source":"recent","sample":{"name":"Name"}}"#, _ more: String = ""
    ) throws -> [String] {
        try ShortcutsTests.violations(ofItem: #""personal":\#(personal)\#(more.isEmpty ? "" : ",")\#(more)"#, title: title)
            .map { String($0.trimmingPrefix("items[0].")) }
    }

    @Test(
        arguments: [
            (#"{"source":"recent","sample":{"name":"Name"}}"#, []), (#"{"source":"a-9","limit":4,"sample":{"name":"N"}}"#, []),
            ("null", []), ("1", ["personal: type-mismatch"]),
            ("{}", ["personal.source: required", "personal.sample.name: placeholder-undeclared"]),
            (#"{"source":"Recent","sample":{"name":"N"}}"#, ["personal.source: source-invalid"]),
            (
                #"{"source":"","limit":0,"sample":{"name":"N"}}"#,
                ["personal.source: source-invalid", "personal.limit: integer-out-of-range"]
            ),
            (
                #"{"source":"9a","limit":5,"sample":{"name":"N"}}"#,
                ["personal.source: source-invalid", "personal.limit: integer-out-of-range"]
            ),
            (#"{"source":"é","limit":1.0,"sample":{"name":"N"}}"#, ["personal.source: source-invalid", "personal.limit: type-mismatch"]),
            (
                #"{"source":"\#(huge)","limit":99999999999999999999,"sample":{"name":"N"}}"#,
                [
                    "personal.source: source-invalid", "personal.limit: integer-out-of-range",
                ]
            ),
            (#"{"source":"s","sources":[],"sample":{"name":"N"}}"#, ["personal.sources: unknown-member"]),
            (#"{"source":"s","sample":[]}"#, ["personal.sample: type-mismatch"]),
            (#"{"source":"s","sample":null}"#, ["personal.sample.name: placeholder-undeclared"]),
            (#"{"source":"s","sample":{"name":null}}"#, ["personal.sample.name: placeholder-undeclared"]),
            (#"{"source":"s","sample":{"name":1}}"#, ["personal.sample.name: type-mismatch"]),
            (#"{"source":"s","sample":{"name":""}}"#, ["personal.sample.name: text-invalid"]),
            (#"{"source":"s","sample":{"name":"a\nb"}}"#, ["personal.sample.name: text-invalid"]),
            (#"{"source":"s","sample":{"name":"\uffff"}}"#, ["personal.sample.name: text-invalid"]),
            (#"{"source":"s","sample":{"name":"\#(huge)"}}"#, ["personal.sample.name: text-invalid"]),
            (#"{"source":"s","sample":{"name":"N","other":"O"}}"#, ["personal.sample.other: placeholder-unused"]),
            (#"{"source":"s","sample":{"name":"N","Other":"O"}}"#, ["personal.sample.Other: placeholder-invalid"]),
            (#"{"source":"s","sample":{"name":"{name} }{"}}"#, []),
        ] as [(String, [String])])
    func `the rule of a personal item is checked`(_ personal: String, _ expected: [String]) throws {
        #expect(try violations(title: personal == "null" ? #"{"en":"To }{"}"# : #"{"en":"To {name}"}"#, personal: personal) == expected)
    }

    @Test(
        arguments: [
            (#"{"en":"To {name}","ko":"{name}에게"}"#, []), (#"{"en":"{name} {name}","ko":"{name}"}"#, []), (#"{"en":"{{{name}}}"}"#, []),
            (#"{"en":"To {name}","ko":"Y"}"#, ["title.ko: placeholders-differ"]),
            (#"{"ko":"Y","en":"To {name}","fr":"Z"}"#, ["title.ko: placeholders-differ", "title.fr: placeholders-differ"]),
            (#"{"en":"{","ko":"}","fr":"{name}"}"#, ["title.en: placeholder-invalid", "title.ko: placeholder-invalid"]),
            (
                #"{"en":"{Name}","ZH_hant":"{na-me}"}"#,
                [
                    "title.en: placeholder-invalid", "title.ZH_hant: placeholder-invalid", "personal.sample.name: placeholder-unused",
                ]
            ),
            (#"{"en":"{name} {b}"}"#, ["personal.sample.b: placeholder-undeclared"]),
        ] as [(String, [String])])
    func `every language has the same placeholders`(_ title: String, _ expected: [String]) throws {
        #expect(try violations(title: title) == expected)
    }

    @Test func `a subtitle may have others than the title, but the same in each language`() throws {
        let sample = #"{"source":"s","sample":{"name":"N","note":"O"}}"#
        #expect(try violations(personal: sample, #""subtitle":{"en":"{note}","ko":"{note}!"}"#) == [])
        #expect(try violations(personal: sample, #""subtitle":{"en":"{note}","ko":"{name}"}"#) == ["subtitle.ko: placeholders-differ"])
    }

    @Test(
        arguments: [
            ("mail:{name}", []), ("mail://to?a={name}", []), ("mail://to/{name}#{name}", []), ("https://x.example/{name}", []),
            ("mail:?{{{name}}}", []), ("mail://a:8/{name}", []),
            ("{name}", ["url: placeholder-misplaced"]), ("{name}://x", ["url: placeholder-misplaced"]),
            ("ma{name}il://x", ["url: placeholder-misplaced"]), ("{name}:x", ["url: placeholder-misplaced"]),
            ("mail://{name}", ["url: placeholder-misplaced"]), ("mail://{name}@x/", ["url: placeholder-misplaced"]),
            ("mail://a:{name}/", ["url: placeholder-misplaced"]), ("mail://a{name}/b", ["url: placeholder-misplaced"]),
            ("mail://{{a}}/{name}", ["url: placeholder-misplaced"]), ("https://{name}", ["url: placeholder-misplaced"]),
            // An empty value would make the rest the host.
            ("mail:{name}//evil", ["url: placeholder-misplaced"]), ("mail:/{name}/evil", ["url: placeholder-misplaced"]),
            ("mail:x?%{name}", ["url: url-invalid"]), ("mail:x?%4{name}", ["url: url-invalid"]), ("mail:x y{name}", ["url: url-invalid"]),
            ("http://x/{name}", ["url: url-scheme"]), ("javascript:{name}", ["url: url-scheme"]),
            ("mail:{Name}", ["url: placeholder-invalid"]),
            ("mail:{", ["url: placeholder-invalid"]), ("https:{name}", ["url: url-invalid"]),
            ("n:\(String(repeating: "a", count: 2041)){name}", ["url: url-too-long"]),
            ("n:\(String(repeating: "{name}", count: 341))", []), ("n:\(huge)", ["url: url-too-long"]),
        ] as [(String, [String])])
    func `a placeholder changes neither scheme nor authority`(_ url: String, _ expected: [String]) throws {
        #expect(try violations(#""url":"\#(url)""#) == expected)
    }

    @Test func `the URL with the sample values is not too long either`() throws {
        let long = String(repeating: "é", count: 255)
        let found = try violations(
            personal: #"{"source":"s","sample":{"name":"\#(long)"}}"#, #""url":"n:{name}{name}""#)
        #expect(found == ["url: url-too-long"])
    }

    @Test func `strings of the userInfo are templates, keys and markers are not`() throws {
        let info =
            #""userInfo":{"{":"{name}","l":["{",{"m":"}"}],"d":{"$date":"2026-01-31T09:00:00Z"},"b":{"$data":"AQI="},"n":1}"#
        #expect(try violations(info) == ["userInfo.l[0]: placeholder-invalid", "userInfo.l[1].m: placeholder-invalid"])
        #expect(try violations(#""userInfo":{"a":["{other}"]}"#) == ["personal.sample.other: placeholder-undeclared"])
    }

    @Test func `all violations are listed together`() throws {
        let found = try violations(
            title: #"{"en":"{a}","ko":"{","fr":"x"}"#, personal: #"{"source":"S","limit":9,"sample":{"b":"B"}}"#,
            #""url":"{x}://y","userInfo":{"k":"}"}"#)
        #expect(
            found == [
                "url: placeholder-misplaced", "personal.source: source-invalid", "personal.limit: integer-out-of-range",
                "title.ko: placeholder-invalid", "title.fr: placeholders-differ", "userInfo.k: placeholder-invalid",
                "personal.sample.a: placeholder-undeclared", "personal.sample.x: placeholder-undeclared",
                "personal.sample.b: placeholder-unused",
            ])
    }

    @Test func `at most 20 sample values`() throws {
        func found(_ count: Int) throws -> [String] {
            let names = (0..<count).map { "a\($0)" }
            let sample = names.map { #""\#($0)":"x""# }.joined(separator: ",")
            return try violations(
                title: #"{"en":"x"}"#, personal: #"{"source":"s","sample":{\#(sample)}}"#,
                #""userInfo":{"k":"\#(names.map { "{\($0)}" }.joined())"}"#)
        }
        #expect(try found(20) == [] && found(21) == ["personal.sample: too-many-items"])
    }

    @Test func `a message says how to correct it`() throws {
        let text =
            #"{"items":[{"id":"a","type":"t","title":{"en":"{a}","ko":"x"},"url":"m://{a}","personal":{"source":"R C","sample":{"b":"B"}}}]}"#
        let found = failure { try set(text) }?.violations.map(\.message) ?? []
        #expect(
            found == [
                #""m://{a}" has a placeholder before its path, so that a value could change where the URL leads. Use placeholders in the path, the query or the fragment."#,
                #""R C" is not a source. Use 1 to 32 lower-case ASCII letters, digits or hyphens, beginning with a letter, for example recent-contact."#,
                "items[0].title.ko has no placeholder, but items[0].title.en has {a}. Use the same placeholders in every language.",
                #"{a} in items[0].title.en has no sample value. Add items[0].personal.sample.a, for example "a"."#,
                "No text of the item has the placeholder {b}. Remove the value, or use the placeholder.",
            ])
    }

    @Test func `braces are plain text in other items`() throws {
        #expect(try ShortcutsTests.violations(ofItem: #""userInfo":{"a":"{"}"#, title: #"{"en":"{ {Name}"}"#) == [])
        #expect(try ShortcutsTests.violations(ofItem: #""url":"mail://to?a={name}""#) == ["items[0].url: url-invalid"])
    }

    private static let full =
        #"{"items":[{"id":"p","type":"t","title":{"en":"To {name}"},"url":"m:{name}","personal":{"source":"s","limit":2,"sample":{"a":"A","name":"N"}},"subtitle":{"en":"{a}"}}]}"#

    @Test func `the canonical form leaves defaults out and reads back`() throws {
        let sent =
            #"{"items":[{"id":"p","type":"t","title":{"EN":"x"},"personal":{"sample":{},"limit":1,"source":"s"}}]}"#
        #expect(text(try set(sent).canonicalJSON) == #"{"items":[{"id":"p","type":"t","title":{"en":"x"},"personal":{"source":"s"}}]}"#)
        let full = try set(Self.full)
        #expect(try ShortcutSet(stored: full.canonicalJSON) == full && set(text(full.canonicalJSON)) == full)
        let reordered = Self.full.replacing(#""a":"A","name":"N""#, with: #""name":"N","a":"A""#)
        #expect(try set(reordered).canonicalJSON == full.canonicalJSON && reordered != Self.full)
    }

    @Test func `unknown members of a newer node stay`() throws {
        let stored = Self.full.replacing(#""source":"s""#, with: #""source":"s","later":[1]"#)
        let set = try ShortcutSet(stored: Array(stored.utf8))
        #expect(text(set.canonicalJSON).contains(#""later":[1]"#))
        let patch = ItemPatch(try read(#"{"personal":{"limit":3}}"#), of: try id("p"))
        let patched = try patch.applied(to: set, defaultLanguage: try tag("en"))
        #expect(text(patched.canonicalJSON).contains(#""personal":{"source":"s","limit":3,"sample":{"a":"A","name":"N"},"later":[1]}"#))
    }

    @Test(arguments: [
        (#""limit":2"#, #""limit":3"#, true), (#""a":"A""#, #""a":"B""#, true), ("To {name}", "Write {name}", true),
        (#""source":"s""#, #""source":"r""#, false), ("m:{name}", "m:{name}{name}", false), ("m:{name}", "m:name", false),
    ])
    func `the action is type, link, data and source`(_ part: String, _ other: String, _ isSame: Bool) throws {
        let changed = Self.full.replacing(part, with: other)
        #expect(changed != Self.full)
        #expect(try (set(changed).items[0].actionHash == set(Self.full).items[0].actionHash) == isSame)
    }

    // Python: hashlib.sha256('{"personal":{"source":"s"},"type":"t","url":"m:{name}"}'.encode()).hexdigest()[:16]
    @Test func `the hash is of canonical JSON`() throws {
        #expect(try set(Self.full).items[0].actionHash == "2477159e8ae2ea8e")
        let plain = #"{"items":[{"id":"p","type":"t","title":{"en":"x"},"url":"m:name"}]}"#
        let personal = plain.replacing(#""url""#, with: #""personal":{"source":"s"},"url""#)
        #expect(try set(plain).items[0].actionHash != set(personal).items[0].actionHash)
    }

    @Test func `sides with and without defaults are merged as equal`() throws {
        let base = #"{"items":[{"id":"p","type":"t","title":{"en":"x"},"personal":{"source":"s"}}]}"#
        let mine = base.replacing(#""source":"s""#, with: #""source":"s","limit":1,"sample":{}"#)
        let theirs = base.replacing(#""source":"s""#, with: #""source":"r""#)
        let merge = SetMerge(SetMerge.Sides(base: try read(base), mine: try read(mine), theirs: try read(theirs)))
        #expect(merge.conflicts.isEmpty && merge.set["items"]?[0]?["personal"]?.text == #"{"source":"r"}"#)
    }

    @Test func `each copy counts against the budget`() throws {
        let items = #"{"id":"a","type":"t","title":{"en":"A"}},{"id":"b","type":"t","title":{"en":"B"}}"#
        func warned(_ limit: Int) throws -> String? {
            let set = try set(
                #"{"items":[\#(items),{"id":"p","type":"p","title":{"en":"x"},"personal":{"source":"s","limit":\#(limit)}}]}"#)
            let context = SetContext(
                set, from: try version("1.0"), in: Timeline(audience: .default, sets: []), of: try snapshot([]), known: [])
            return context.warnings.first { $0.code == "over-budget" }?.message
        }
        #expect(try warned(2) == nil)
        #expect(
            try warned(3)
                == "Up to 5 items are registered, counting personal items up to their limit, but 4 are shown. The others are registered but not visible."
        )
    }
}
