import HTTP
import Testing

@Suite struct PresetDictionaryTests {
    private let dictionary = Array("{\"type\":\"compose\",\"localizedTitle\":\"".utf8)

    private func inflated(_ deflated: [UInt8], count: Int) throws -> [UInt8]? {
        try #require(Inflater()).inflate(deflated, count: count, dictionary: dictionary)
    }

    @Test(arguments: [1, 10, 1_000, 100_000])
    func `inflating restores what was deflated`(_ repetitions: Int) throws {
        let deflater = try #require(Deflater())
        for number in 0..<3 {
            let bytes = Array(repeating: dictionary + Array("\(number)\"}".utf8), count: repetitions).flatMap(\.self)
            let deflated = try #require(deflater.deflate(bytes, dictionary: dictionary))
            #expect(deflated.count < bytes.count / 2)
            #expect(try inflated(deflated, count: bytes.count) == bytes)
            #expect(try inflated(deflated, count: bytes.count - 1) == nil)
            #expect(try inflated(deflated, count: bytes.count + 1) == nil)
            #expect(try inflated(Array(deflated.dropLast()), count: bytes.count) == nil)
        }
    }

    @Test func `does not deflate what would not become shorter`() throws {
        let deflater = try #require(Deflater())
        #expect(deflater.deflate([], dictionary: dictionary) == nil)
        #expect(deflater.deflate([200], dictionary: dictionary) == nil)
    }
}
