import Testing

@testable import Shortcuts

private func nested(_ depth: Int, open: String = #"{"a":"#, close: String = "}") -> String {
    String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
}

@Suite struct UserInfoTests {
    private func found(_ userInfo: String) throws -> [String] {
        try violations(ofItem: #""userInfo":\#(userInfo)"#).map { String($0.trimmingPrefix("items[0].userInfo")) }
    }

    @Test(arguments: [
        ("null", []), ("{}", []), ("[]", [": type-mismatch"]), (#""a""#, [": type-mismatch"]),
        (#"{"s":"x","i":1,"r":1.0,"b":true,"d":{"$date":"2026-01-31T09:00:00Z"},"x":{"$data":"AQI="},"l":[],"m":{}}"#, []),
        (#"{"a":null}"#, [".a: userinfo-null"]), (#"{"a":{"b":[1,null]}}"#, [".a.b[1]: userinfo-null"]),
        (#"{"a.b":null}"#, [#"["a.b"]: userinfo-null"#]),
        (#"{"longpress.x":1}"#, [#"["longpress.x"]: userinfo-key-reserved"#]),
        (#"{"longpress.":1}"#, [#"["longpress."]: userinfo-key-reserved"#]),
        (#"{"longpress":1,"Longpress.x":2,"a":{"longpress.x":1}}"#, []),
        (#"{"longpress.x":null}"#, [#"["longpress.x"]: userinfo-key-reserved"#, #"["longpress.x"]: userinfo-null"#]),
        (#"{"a":9223372036854775807,"b":-9223372036854775808}"#, []), (#"{"a":9223372036854775808}"#, [".a: integer-out-of-range"]),
        (#"{"a":-9223372036854775809}"#, [".a: integer-out-of-range"]),
        (#"{"a":1e999,"b":[-1e999]}"#, [".a: real-out-of-range", ".b[0]: real-out-of-range"]),
        (#"{"a":"\u0000"}"#, [".a: text-invalid"]), (#"{"a\u0001":1}"#, [#"["a\u0001"]: text-invalid"#]), (#"{"a":"\t\r\n"}"#, []),
        (#"{"":1}"#, []),
    ])
    func `holds property-list values only`(userInfo: String, expected: [String]) throws {
        #expect(try found(userInfo) == expected)
    }

    @Test(arguments: [
        (#"{"$date":"2026-01-31T09:00:00Z"}"#, [": marker-invalid"]), (#"{"$data":""}"#, [": marker-invalid"]),
        (#"{"a":{"$date":"2026-01-31T09:00:00Z","x":1}}"#, [".a: marker-invalid"]),
        (#"{"$date":"2026-01-31T09:00:00Z","x":1}"#, [": marker-invalid"]),
        (#"{"a":{"$date":"2026-01-31T09:00:00Z","$data":""}}"#, [".a: marker-invalid"]),
        (#"{"a":{"$date":1}}"#, [".a.$date: date-invalid"]), (#"{"a":{"$date":null}}"#, [".a.$date: date-invalid"]),
        (#"{"a":{"$date":"2026-01-31T09:00:00.5Z"}}"#, [".a.$date: date-invalid"]),
        (#"{"a":{"$date":"2026-01-31T09:00:00+01:00"}}"#, [".a.$date: date-invalid"]),
        (#"{"a":{"$date":"2026-02-30T09:00:00Z"}}"#, [".a.$date: date-invalid"]), (#"{"a":{"$data":"AQI"}}"#, [".a.$data: data-invalid"]),
        (#"{"a":{"$data":"AQ_-"}}"#, [".a.$data: data-invalid"]), (#"{"a":{"$data":"AQ I="}}"#, [".a.$data: data-invalid"]),
        (#"{"a":{"$data":"AQ\n=="}}"#, [".a.$data: data-invalid"]),
        (#"{"a":{"$data":"AR=="}}"#, [".a.$data: data-invalid"]), (#"{"a":{"$data":5}}"#, [".a.$data: data-invalid"]),
        (#"{"a":{"$data":""}}"#, []), (#"{"a":{"$Date":1}}"#, []),
    ])
    func `a marker is the sole key and holds a value`(userInfo: String, expected: [String]) throws {
        #expect(try found(userInfo) == expected)
    }

    @Test(arguments: [(8, true), (9, false), (100, false)])
    func `nests eight deep counting itself`(depth: Int, fits: Bool) throws {
        let path = String(repeating: ".a", count: 8)
        #expect(try found(nested(depth)) == (fits ? [] : ["\(path): userinfo-too-deep"]))
        #expect(try found(#"{"a":\#(nested(depth - 1, open: "[", close: "]"))}"#).isEmpty == fits)
    }

    @Test func `a marker is a leaf`() throws {
        let inner = #"{"$date":"2026-01-31T09:00:00Z"}"#
        #expect(try found(String(repeating: #"{"a":"#, count: 8) + inner + String(repeating: "}", count: 8)) == [])
    }

    // Foundation: 8 header, 32 trailer, dict 3, key 2, string of n in 4 + n, 3 offsets (1 byte or, from 256 on, 2).
    @Test(arguments: [(4041, []), (4042, [": userinfo-too-large"]), (6000, [": userinfo-too-large"])] as [(Int, [String])])
    func `takes 4096 bytes as a binary property list`(count: Int, expected: [String]) throws {
        #expect(try found(#"{"a":"\#(String(repeating: "x", count: count))"}"#) == expected)
    }

    @Test func `counts keys that differ by composition`() throws {
        let (left, right) = (String(repeating: "x", count: 2100), String(repeating: "y", count: 2100))
        #expect(try found("{\"\u{E9}\":\"\(left)\",\"e\u{301}\":\"\(right)\"}") == [": userinfo-too-large"])
    }

    @Test func `values round-trip`() throws {
        let sent =
            #"{"items":[{"id":"a","type":"t","title":{"en":"T"},"userInfo":{"b":true,"d":{"$date":"1969-07-20T20:17:40Z"},"e":"é","f":"é","i":1,"n":-0.0,"r":1.0,"x":{"$data":"AQI="}}}]}"#
        #expect(text(try set(sent).canonicalJSON) == sent)
    }
}
