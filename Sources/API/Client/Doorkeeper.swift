/// The doorkeeper of TinyLFU (Einziger, Friedman and Manes 2017, section 3.4.2), a filter in front of a cache that is full: a key is
/// admitted once it was asked for before. It is a Bloom filter with one hash function, cleared once a 32nd of its bits may be set,
/// so at most one new key in 32 is taken for a known one.
struct Doorkeeper {
    private var bits: [UInt64]
    private var noted = 0

    /// - Parameter capacity: the number of keys recorded before the filter is cleared; a power of two.
    init(capacity: Int) {
        bits = Array(repeating: 0, count: max(1, capacity / 2))
    }

    /// Whether the key was recorded since the filter was cleared; records it.
    mutating func hasSeen(_ hash: Int) -> Bool {
        let index = Int(UInt(bitPattern: hash) >> 32) & (bits.count * 64 - 1)
        let (word, bit) = (index / 64, UInt64(1) << UInt64(index % 64))
        guard bits[word] & bit == 0 else { return true }
        if noted == bits.count * 2 {
            bits = Array(repeating: 0, count: bits.count)
            noted = 0
        }
        bits[word] |= bit
        noted += 1
        return false
    }
}
