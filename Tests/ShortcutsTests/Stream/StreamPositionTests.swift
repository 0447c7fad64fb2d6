import Shortcuts
import Testing

struct StreamPositionTests {
    @Test(arguments: ["a.0", "3fa9c04b.41", "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345.9223372036854775807"])
    func `is read as it was written`(_ text: String) throws {
        #expect(try #require(StreamPosition(text)).description == text)
    }

    @Test(arguments: [
        "", ".", "a", "a.", ".1", "1", "a.-1", "a.+1", "a. 1", "a.1 ", "a b.1", "a.b.1", "ä.1", "a.9223372036854775808", "a.１",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456.1", "a.00000000000000000000000000000000000000000000000000000001",
    ])
    func `is no other text`(_ text: String) {
        #expect(StreamPosition(text) == nil)
    }
}
