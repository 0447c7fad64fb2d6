import Testing

@testable import HTTP

@Suite struct PercentEncodingTests {
    @Test(arguments: [("aZ09-._~", "aZ09-._~"), ("a&b=c#d+e%f/?[]", "a%26b%3Dc%23d%2Be%25f%2F%3F%5B%5D"), ("é\t", "%C3%A9%09"), ("", "")])
    func `encodes all but unreserved characters`(text: String, encoded: String) throws {
        #expect(PercentEncoding.encode(text) == encoded)
        #expect(try Query(decoding: "q=" + encoded)["q"] == text)
    }
}
