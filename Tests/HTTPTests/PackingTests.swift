import HTTP
import Testing

@Suite struct PackingTests {
    private let sample = Array("{\"type\":\"compose\",\"localizedTitle\":\"".utf8)

    private func unpacked(_ packed: [UInt8], count: Int, sample: [UInt8]) throws -> [UInt8]? {
        let unpacker = try #require(Unpacker())
        return packed.withUnsafeBufferPointer { unpacker.unpack($0, count: count, sample: sample) }
    }

    @Test(arguments: [1, 10, 1_000, 100_000])
    func `what was packed comes out as it was`(_ repetitions: Int) throws {
        let packer = try #require(Packer())
        for number in 0..<3 {
            let bytes = Array(repeating: sample + Array("\(number)\"}".utf8), count: repetitions).flatMap(\.self)
            let packed = try #require(packer.pack(bytes, sample: sample))
            #expect(packed.count < bytes.count / 2)
            #expect(try unpacked(packed, count: bytes.count, sample: sample) == bytes)
            #expect(try unpacked(packed, count: bytes.count - 1, sample: sample) == nil)
            #expect(try unpacked(packed, count: bytes.count + 1, sample: sample) == nil)
            #expect(try unpacked(packed.dropLast(), count: bytes.count, sample: sample) == nil)
        }
    }

    @Test func `what would not be shorter is not packed`() throws {
        let packer = try #require(Packer())
        #expect(packer.pack([], sample: sample) == nil)
        #expect(packer.pack([200], sample: sample) == nil)
    }
}

extension Array {
    fileprivate func dropLast() -> [Element] { Array(self[..<(count - 1)]) }
}
