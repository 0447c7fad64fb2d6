import HTTP
import Testing

struct ChunkEncoderTests {
    @Test(arguments: [("", ""), ("a", "1\r\na\r\n"), (String(repeating: "b", count: 26), "1a\r\n\(String(repeating: "b", count: 26))\r\n")])
    func `a chunk has its size in hexadecimal digits, and none is empty`(_ text: String, _ chunk: String) {
        #expect(String(decoding: ChunkEncoder.chunk(text.utf8), as: UTF8.self) == chunk)
    }
}
