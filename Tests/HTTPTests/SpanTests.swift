import Testing

@testable import HTTP

@Suite struct SpanTests {
    /// Random bytes of three values, so that the byte, its neighbours and repetitions all occur.
    private func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in [0x09, 0x0A, 0x8A].randomElement() ?? 0 }
    }

    @Test func `finds the first index of a byte in every range`() {
        for _ in 0..<2_000 {
            let bytes = bytes(Int.random(in: 0...40))
            let lower = Int.random(in: 0...bytes.count)
            let range = lower..<Int.random(in: lower...bytes.count)
            let found = bytes.span.firstIndex(of: 0x0A, in: range)
            #expect(found == bytes[range].firstIndex(of: 0x0A))
        }
    }

    @Test func `detects bytes that differ in one position or in length`() {
        for count in 0...40 {
            let bytes = bytes(count)
            let others = bytes.indices.map { place in
                var other = bytes
                other[place] ^= 0x80
                return other
            }
            let answers = ([Array(bytes), bytes + [0]] + others).map { bytes.span.isEqual(to: $0) }
            #expect(answers == [true] + Array(repeating: false, count: others.count + 1))
        }
    }
}
