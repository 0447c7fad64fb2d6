/// A table that is bounded by what its values cost and evicts by CLOCK with counts (generalized CLOCK; Smith 1978): a hand goes round
/// over the slots, takes one from the count of uses of each, and evicts what has none left.
///
/// It knows nothing of what it keeps. It is a value: its owner's lock is what makes it safe to share.
package struct ClockCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package struct Entry: Sendable {
        package let key: Key
        package let value: Value
        /// In whatever unit the capacity has.
        package let cost: Int
        /// Look-ups since the hand last came by, up to `mostUses`.
        package fileprivate(set) var uses: UInt8
    }

    package static var mostUses: UInt8 { 3 }

    package let capacity: Int
    package private(set) var cost = 0
    private var slots: [Entry] = []
    /// Which slot a key's entry is in.
    private var numbers: [Key: Int] = [:]
    private var hand = 0

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package var count: Int { slots.count }

    /// The value, whose use is counted.
    package mutating func value(for key: Key) -> Value? {
        guard let number = numbers[key] else { return nil }
        if slots[number].uses < Self.mostUses { slots[number].uses += 1 }
        return slots[number].value
    }

    /// The entry; no use is counted.
    package func entry(for key: Key) -> Entry? {
        numbers[key].map { slots[$0] }
    }

    /// Whether a value of this cost evicts nothing.
    package func hasRoom(for cost: Int) -> Bool { self.cost + cost <= capacity }

    /// Keeps a value in the place of a former one of its key. It evicts what is used least, itself only where it costs more than the
    /// whole capacity.
    /// - Parameter uses: as if it had been looked up so often.
    /// - Returns: what is kept no longer, the former one among it.
    package mutating func insert(_ value: Value, for key: Key, cost: Int, uses: UInt8 = 0) -> [Entry] {
        var gone: [Entry] = []
        if let former = remove(key) { gone.append(former) }
        let entry = Entry(key: key, value: value, cost: cost, uses: min(uses, Self.mostUses))
        guard cost <= capacity else { return gone + [entry] }
        numbers[key] = slots.count
        slots.append(entry)
        self.cost += cost
        while self.cost > capacity {
            if hand >= slots.count { hand = 0 }
            if slots[hand].uses > 0 {
                slots[hand].uses -= 1
            } else if slots[hand].key != key {
                // The last entry, mostly the new one, takes the slot; its turn comes in the next round.
                gone.append(remove(at: hand))
            }
            hand += 1
        }
        return gone
    }

    @discardableResult
    package mutating func remove(_ key: Key) -> Entry? {
        numbers[key].map { remove(at: $0) }
    }

    package mutating func removeAll() {
        self = ClockCache(capacity: capacity)
    }

    private mutating func remove(at number: Int) -> Entry {
        let last = slots.removeLast()
        let entry = number == slots.count ? last : slots[number]
        if number < slots.count {
            slots[number] = last
            numbers[last.key] = number
        }
        numbers[entry.key] = nil
        cost -= entry.cost
        return entry
    }
}
