/// A cache that is bounded by the total cost of its entries and evicts by generalized CLOCK (Smith 1978): the hand moves over the slots,
/// decrements the use count of each entry, and evicts entries whose count is zero.
///
/// It is a value without a lock: the owner's lock protects it.
package struct ClockCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package struct Entry: Sendable {
        package let key: Key
        package let value: Value
        /// In the unit of the capacity.
        package let cost: Int
        /// Lookups since the hand last passed, at most `maxUses`.
        package fileprivate(set) var uses: UInt8
    }

    package static var maxUses: UInt8 { 3 }

    package let capacity: Int
    package private(set) var cost = 0
    private var slots: [Entry] = []
    /// The index of a key's slot.
    private var slotIndices: [Key: Int] = [:]
    private var hand = 0

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package var count: Int { slots.count }

    /// Looks a value up and counts the use.
    package mutating func value(for key: Key) -> Value? {
        guard let index = slotIndices[key] else { return nil }
        if slots[index].uses < Self.maxUses { slots[index].uses += 1 }
        return slots[index].value
    }

    /// Looks an entry up without counting a use.
    package func entry(for key: Key) -> Entry? {
        slotIndices[key].map { slots[$0] }
    }

    /// Inserts or replaces a value, and evicts other entries until the total cost is within the capacity. A value that costs more than
    /// the whole capacity is not inserted.
    /// - Parameter uses: the initial use count.
    /// - Returns: the entries that are no longer in the cache: evicted ones, and the previous one of the key.
    package mutating func insert(_ value: Value, for key: Key, cost: Int, uses: UInt8 = 0) -> [Entry] {
        var removed: [Entry] = []
        if let previous = remove(key) { removed.append(previous) }
        let entry = Entry(key: key, value: value, cost: cost, uses: min(uses, Self.maxUses))
        guard cost <= capacity else { return removed + [entry] }
        slotIndices[key] = slots.count
        slots.append(entry)
        self.cost += cost
        while self.cost > capacity {
            if hand >= slots.count { hand = 0 }
            if slots[hand].uses > 0 {
                slots[hand].uses -= 1
            } else if slots[hand].key != key {
                // The last entry, mostly the new one, moves into the slot; the hand reaches it in the next round.
                removed.append(remove(at: hand))
            }
            hand += 1
        }
        return removed
    }

    @discardableResult
    package mutating func remove(_ key: Key) -> Entry? {
        slotIndices[key].map { remove(at: $0) }
    }

    package mutating func removeAll() {
        self = ClockCache(capacity: capacity)
    }

    private mutating func remove(at index: Int) -> Entry {
        let last = slots.removeLast()
        let entry = index == slots.count ? last : slots[index]
        if index < slots.count {
            slots[index] = last
            slotIndices[last.key] = index
        }
        slotIndices[entry.key] = nil
        cost -= entry.cost
        return entry
    }
}
