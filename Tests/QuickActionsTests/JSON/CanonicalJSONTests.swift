import Testing

@testable import QuickActions

@Suite struct CanonicalJSONTests {
    @Test(arguments: [
        (#"{ "b":1, "a":{"d":[{"z":1,"y":2}],"c":2} }"#, #"{"a":{"c":2,"d":[{"y":2,"z":1}]},"b":1}"#),
        (#"{"\ud800\udc00":1,"\ufffd":2}"#, "{\"\u{FFFD}\":2,\"\u{10000}\":1}"),
        (#"{"a":1,"A":2,"aa":3,"":4}"#, #"{"":4,"A":2,"a":1,"aa":3}"#),
        ("[1.0,1,true]", "[1.0,1,true]"),
    ])
    func `sorts members by their UTF-8 bytes at every depth`(text: String, canonical: String) throws {
        #expect(try read(text).canonical.text == canonical)
    }

    // As Python's repr writes them.
    @Test(arguments: [
        (1.0, "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e15, "1000000000000000.0"), (1e16, "1e+16"), (-1e16, "-1e+16"),
        (12345678901234568.0, "1.2345678901234568e+16"), (18014398509481984.0, "1.8014398509481984e+16"), (1e22, "1e+22"), (1e-4, "0.0001"),
        (1e-5, "1e-05"), (Double.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
        (9007199254740993.0, "9007199254740992.0"),
        (1.1e16, "1.1e+16"), (1.5e-7, "1.5e-07"),
    ])
    func `writes reals as the shortest round trip`(value: Double, text: String) throws {
        #expect(realText(value) == text)
        guard case .real(let again) = try read(text) else { return #expect(Bool(false)) }
        #expect(again.bitPattern == value.bitPattern)
    }
}
