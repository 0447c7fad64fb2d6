import QuickActions
import Testing

@testable import HTTP

@Suite struct PercentEncodingTests {
    @Test(arguments: [("aZ09-._~", "aZ09-._~"), ("a&b=c#d+e%f/?[]", "a%26b%3Dc%23d%2Be%25f%2F%3F%5B%5D"), ("é\t", "%C3%A9%09"), ("", "")])
    func `encodes all but unreserved characters`(text: String, encoded: String) throws {
        #expect(text.percentEncoded == encoded)
        #expect(try Query(decoding: "q=" + encoded)["q"] == text)
    }

    @Test(arguments: [
        ("q=because+I+must", "because I must"), ("q=a%2Bb", "a+b"), ("q=%2B+%20", "+  "), ("q=+%C3%A9", " é"), ("+=a&q=+", " "),
    ])
    func `a query is read as a form is`(query: String, value: String) throws {
        #expect(try Query(decoding: query)["q"] == value)
    }

    @Test func `a plus sign in a path is itself`() throws {
        #expect(try Request(.get, "/2.1.0+512/a%2Bb%20c+d").path == ["2.1.0+512", "a+b c+d"])
    }
}
