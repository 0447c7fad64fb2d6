import Testing

@testable import QuickActions

private func refusal(_ work: () throws -> JSON) -> JSONReader.ParseError? {
    do {
        _ = try work()
        return nil
    } catch {
        return error as? JSONReader.ParseError
    }
}

@Suite struct JSONReaderTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "1.0", "-0.0", "0.1", "1e+16", "1.5e-07",
        #""a""#, #""\"\\\b\f\n\r\t\u0001""#, #""é/😀""#, "[]", "{}", #"[1,[2,{"a":null}]]"#, #"{"b":1,"a":1.0,"c":true}"#,
        "{\"\u{E9}\":1,\"e\u{301}\":2}", "18446744073709551616", "1e999", "-123456789012345678901234567890",
    ])
    func `writes what it read`(text: String) throws {
        #expect(try read(text).text == text)
    }

    @Test(arguments: [
        ("1E2", "100.0"), ("1e2", "100.0"), (#""\u00e9\u00E9\/""#, #""éé/""#), (#""\ud83d\ude00""#, #""😀""#), (" [ 1 , 2 ]\t\r\n", "[1,2]"),
        ("1e-400", "0.0"), ("-0", "0"), (#""\u0000""#, #""\u0000""#), ("10000000000000000.0", "1e+16"),
    ])
    func `reads other spellings`(text: String, written: String) throws {
        #expect(try read(text).text == written)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "tru", "01", "-", "-01", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity", "1 2", "[1,]",
        "[,1]", "[1 2]", "[", "]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", "{'a':1}", #"{"a" 1}"#, #""a"#, "\"a\nb\"",
        "\"\u{0}\"",
        #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800x""#, #""\ud800\n""#,
        #""\ud800\ud800""#, #""\"#, #""\u"#,
        "// c\n1", "/**/1", "\u{FEFF}1", "\u{A0}1", "1\0",
    ])
    func `refuses what is not JSON`(text: String) {
        guard case .malformed? = refusal({ try read(text) }) else { return #expect(Bool(false)) }
    }

    @Test(arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"[{"x":{"a":1,"b":2,"a":3}}]"#, #"{"":1,"":2}"#])
    func `refuses a member given twice`(text: String) throws {
        guard case .malformed(_, _, let what)? = refusal({ try read(text) }) else { return #expect(Bool(false)) }
        #expect(what.contains("occurs twice"))
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC3, 0x22], [0xFE, 0xFF, 0, 0x31],
            [0x31, 0x80],
        ] as [[UInt8]])
    func `refuses what is not UTF-8`(bytes: [UInt8]) {
        #expect(refusal { try JSONReader.read(bytes) } == .notUTF8)
    }

    @Test(arguments: [(256, true), (257, false), (1_000_000, false)])
    func `bounds the depth`(depth: Int, fits: Bool) {
        let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect((refusal { try read(arrays) } == nil) == fits)
        let objects = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        #expect((refusal { try read(objects) } == nil) == fits)
    }

    @Test(arguments: ["[1,2,3]", #"{"a":{"b":[]},"c":null}"#, "[[[null]]]"])
    func `bounds the number of values`(text: String) {
        #expect(refusal { try JSONReader.read(Array(text.utf8), atMost: 4) } == nil)
        #expect(refusal { try JSONReader.read(Array(text.utf8), atMost: 3) } == .tooManyValues(limit: 3))
    }

    @Test func `keeps booleans, integers and reals apart`() throws {
        guard case .array(let values) = try read("[true,1,1.0,1e0,10000000000000000000,1e400]") else { return #expect(Bool(false)) }
        let kinds = values.map { value in
            switch value {
            case .boolean: "boolean"
            case .integer: "integer"
            case .real: "real"
            case .outOfRange(_, let isInteger): isInteger ? "big integer" : "big real"
            default: "other"
            }
        }
        #expect(kinds == ["boolean", "integer", "real", "real", "big integer", "big real"])
    }

    @Test func `has the line and column of an error`() throws {
        #expect(refusal { try read("{\n  \"a\": tru\n}") } == .malformed(line: 2, column: 11, what: "expected true"))
    }

    @Test func `survives every cut and every flipped byte`() throws {
        let whole = Array(#"{"a":[1,-2.5e+3,"x\u00e9\ud83d\ude00\n",null,true],"b":{"c":"é"}}"#.utf8)
        for cut in 0..<whole.count { #expect(refusal { try JSONReader.read(Array(whole[..<cut])) } != nil) }
        for index in whole.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = whole
                bytes[index] = byte
                _ = refusal { try JSONReader.read(bytes) }
            }
        }
    }
}
