import Testing

@testable import Shortcuts

private let long = String(repeating: "a", count: 256)
private let family = "👨‍👩‍👧‍👦"

@Suite struct ItemRulesTests {
    @Test(arguments: [
        (#"{}"#, ["items[0].id: required", "items[0].type: required", "items[0].title: required"]),
        (#"{"id":null,"type":null,"title":null}"#, ["items[0].id: required", "items[0].type: required", "items[0].title: required"]),
        ("1", ["items[0]: type-mismatch"]), ("null", ["items[0]: type-mismatch"]),
        (
            #"{"id":1,"type":1,"title":"T"}"#,
            ["items[0].id: type-mismatch", "items[0].type: type-mismatch", "items[0].title: type-mismatch"]
        ),
        (#"{"id":"a b","type":"","title":{"en":"T"}}"#, ["items[0].id: id-invalid", "items[0].type: type-invalid"]),
        (#"{"id":"a","type":"a\tb","title":{"en":"T"}}"#, ["items[0].type: type-invalid"]),
        (#"{"id":"a","type":"\#(long)","title":{"en":"T"}}"#, ["items[0].type: type-invalid"]),
        (#"{"id":"a","type":"\u0000","title":{"en":"T"}}"#, ["items[0].type: text-invalid"]),
        (#"{"id":"a","type":"\uffff","title":{"en":"T"}}"#, ["items[0].type: text-invalid"]),
        (
            #"{"id":"a","type":"t","title":{"en":"T"},"Url":"x:y","a.b":null}"#,
            ["items[0].Url: unknown-member", #"items[0]["a.b"]: unknown-member"#]
        ),
    ])
    func `lists the violations of an item`(item: String, expected: [String]) throws {
        #expect(try violations(ofSet: #"{"items":[\#(item)]}"#) == expected)
    }

    @Test(arguments: [
        ("{}", ["items[0].title.en: title-missing"]), (#"{"en":null}"#, ["items[0].title.en: title-missing"]),
        (#"{"fr":"T"}"#, ["items[0].title.en: title-missing"]), (#"{"en-US":"T"}"#, ["items[0].title.en: title-missing"]),
        (#"{"en":""}"#, ["items[0].title.en: title-empty"]), (#"{"en":" \u00a0\u3000"}"#, ["items[0].title.en: title-empty"]),
        (#"{"en":1}"#, ["items[0].title.en: type-mismatch"]), (#"{"en":"a\nb"}"#, ["items[0].title.en: text-invalid"]),
        (#"{"en":"a\u2028b"}"#, ["items[0].title.en: text-invalid"]), (#"{"en":"a\u0085b"}"#, ["items[0].title.en: text-invalid"]),
        (#"{"en":"a\u0007b"}"#, ["items[0].title.en: text-invalid"]), (#"{"en":"a\ufffe"}"#, ["items[0].title.en: text-invalid"]),
        (#"{"en":"\#(String(repeating: "a", count: 101))"}"#, ["items[0].title.en: title-too-long"]),
        (#"{"en":"\#(String(repeating: family, count: 41))"}"#, ["items[0].title.en: title-too-long"]),
        (#"{"en":"T","english!":"T"}"#, [#"items[0].title["english!"]: language-invalid"#]),
        (#"{"en":"T","zh-Hant":"T","ZH_hant":"T"}"#, ["items[0].title.ZH_hant: duplicate-language"]),
        (#"{"EN":"T"}"#, []), (#"{"en":"\#(String(repeating: "a", count: 100))"}"#, []),
        (#"{"en":"\#(String(repeating: family, count: 40))"}"#, []),
        (#"{"en":"T","fr":null}"#, []),
    ])
    func `a title is a short line in the default language`(title: String, expected: [String]) throws {
        #expect(try violations(ofItem: "", title: title) == expected)
    }

    @Test(arguments: [
        (#""subtitle":{"fr":"S"}"#, []), (#""subtitle":null"#, []), (#""subtitle":{}"#, []),
        (#""subtitle":"S""#, ["items[0].subtitle: type-mismatch"]),
        (#""subtitle":{"en":"\#(String(repeating: "a", count: 200))"}"#, []),
        (#""subtitle":{"en":"\#(String(repeating: "a", count: 201))"}"#, ["items[0].subtitle.en: subtitle-too-long"]),
        (#""subtitle":{"en":"\#(String(repeating: family, count: 82))"}"#, ["items[0].subtitle.en: subtitle-too-long"]),
        (#""subtitle":{"en":"a\r\nb"}"#, ["items[0].subtitle.en: text-invalid"]),
        (#""url":"http://a""#, ["items[0].url: url-scheme"]), (#""url":"x""#, ["items[0].url: url-invalid"]),
        (#""url":7"#, ["items[0].url: type-mismatch"]),
        (#""url":"n:\#(String(repeating: "a", count: 2047))""#, ["items[0].url: url-too-long"]), (#""url":null"#, []),
        (#""targetContentIdentifier":"\#(long)""#, ["items[0].targetContentIdentifier: text-invalid"]),
        (#""targetContentIdentifier":"\#(long.dropLast())""#, []),
        (#""targetContentIdentifier":"a\u0001""#, ["items[0].targetContentIdentifier: text-invalid"]),
        (#""targetContentIdentifier":1"#, ["items[0].targetContentIdentifier: type-mismatch"]),
        (#""enabled":1"#, ["items[0].enabled: type-mismatch"]), (#""enabled":null"#, []), (#""enabled":false"#, []),
        (#""replaces":"b""#, ["items[0].replaces: type-mismatch"]),
        (#""replaces":["b",1,"c d"]"#, ["items[0].replaces[1]: type-mismatch", "items[0].replaces[2]: id-invalid"]),
        (#""replaces":[\#((0..<20).map { "\"r\($0)\"" }.joined(separator: ","))]"#, []),
        (#""replaces":[\#((0..<21).map { "\"r\($0)\"" }.joined(separator: ","))]"#, ["items[0].replaces: too-many-items"]),
    ])
    func `optional members keep their rules`(members: String, expected: [String]) throws {
        #expect(try violations(ofItem: members) == expected)
    }

    @Test(arguments: [(64, []), (65, ["items[0].title: too-many-items"])] as [(Int, [String])])
    func `bounds the languages`(count: Int, expected: [String]) throws {
        let others = (0..<(count - 1)).map {
            #","q\#(Character(Unicode.Scalar(UInt8(97 + $0 / 26))))\#(Character(Unicode.Scalar(UInt8(97 + $0 % 26))))":"T""#
        }
        #expect(try violations(ofItem: "", title: #"{"en":"T"\#(others.joined())}"#) == expected)
    }
}
