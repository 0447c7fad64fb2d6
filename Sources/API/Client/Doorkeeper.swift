/// What was asked for lately, by its hash: only what is asked for again may take the place of something that is used (the
/// doorkeeper of TinyLFU, Einziger, Friedman and Manes 2017, section 3.4.2).
///
/// It forgets all once an eighth of its bits may be set, so at most one in eight new keys is taken for a known one.
struct Doorkeeper {
    private var bits: [UInt64]
    private var noted = 0

    /// - Parameter capacity: how many keys are noted before all are forgotten; a power of two.
    init(capacity: Int) {
        bits = Array(repeating: 0, count: max(1, capacity / 8))
    }

    /// Whether the key was asked for since all were forgotten; it is noted.
    mutating func hasSeen(_ hash: Int) -> Bool {
        let place = Int(UInt(bitPattern: hash) >> 32) & (bits.count * 64 - 1)
        let (word, bit) = (place / 64, UInt64(1) << UInt64(place % 64))
        guard bits[word] & bit == 0 else { return true }
        if noted == bits.count * 8 {
            bits = Array(repeating: 0, count: bits.count)
            noted = 0
        }
        bits[word] |= bit
        noted += 1
        return false
    }
}
