import Testing

@testable import QuickActions

@Suite struct PrettyPrintedTests {
    @Test func `puts each member and element on a line of its own`() throws {
        let written = try read(#"{"a":[1,{"b":null}],"c":{},"d":[],"e":"x\n"}"#).prettyPrinted
        let expected = """
            {
              "a": [
                1,
                {
                  "b": null
                }
              ],
              "c": {},
              "d": [],
              "e": "x\\n"
            }

            """
        #expect(String(decoding: written, as: UTF8.self) == expected)
    }
}
