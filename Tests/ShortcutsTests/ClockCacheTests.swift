import Shortcuts
import Testing

@Suite struct ClockCacheTests {
    @Test func `finds what was inserted and returns what was evicted`() {
        var cache = ClockCache<String, Int>(capacity: 10)
        #expect(cache.insert(1, for: "a", cost: 4).isEmpty)
        #expect(cache.insert(2, for: "b", cost: 4).isEmpty)
        #expect(cache.value(for: "a") == 1 && cache.value(for: "b") == 2 && cache.value(for: "c") == nil)
        let replaced = cache.insert(3, for: "a", cost: 2)
        #expect(replaced.map(\.value) == [1] && cache.value(for: "a") == 3 && cache.cost == 6)
        #expect(cache.remove("a")?.value == 3 && cache.remove("a") == nil && cache.cost == 4 && cache.count == 1)
        cache.removeAll()
        #expect(cache.cost == 0 && cache.count == 0 && cache.value(for: "b") == nil)
    }

    @Test func `a value above the capacity is not inserted, and evicts only the previous one of its key`() {
        var cache = ClockCache<String, Int>(capacity: 10)
        _ = cache.insert(1, for: "a", cost: 4)
        _ = cache.insert(2, for: "b", cost: 4)
        let removed = cache.insert(3, for: "a", cost: 11)
        #expect(Set(removed.map(\.value)) == [1, 3] && cache.value(for: "b") == 2 && cache.count == 1)
    }

    @Test func `an entry survives as many rounds as it has uses`() {
        var cache = ClockCache<Int, Int>(capacity: 3)
        for key in 0..<3 { _ = cache.insert(key, for: key, cost: 1) }
        for _ in 0..<2 { _ = cache.value(for: 1) }
        #expect(cache.entry(for: 1)?.uses == 2 && cache.entry(for: 0)?.uses == 0)
        var removed: [Int] = []
        for key in 3..<7 { removed += cache.insert(key, for: key, cost: 1).map(\.key) }
        #expect(!removed.contains(1) && removed.count == 4)
        for key in 7..<20 { removed += cache.insert(key, for: key, cost: 1).map(\.key) }
        #expect(removed.contains(1) && cache.count == 3)
    }

    @Test func `cost and count stay right in random operations`() {
        var cache = ClockCache<Int, Int>(capacity: 1_000)
        var model: [Int: (value: Int, cost: Int)] = [:]
        var generator = SystemRandomNumberGenerator()
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<100, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                #expect(cache.remove(key)?.value == model.removeValue(forKey: key)?.value)
            case 1:
                #expect(cache.value(for: key) == model[key]?.value)
            default:
                let cost = Int.random(in: 1...100, using: &generator)
                let removed = cache.insert(step, for: key, cost: cost, uses: UInt8.random(in: 0...5, using: &generator))
                for entry in removed {
                    #expect(model[entry.key]?.value == entry.value)
                    model[entry.key] = nil
                }
                model[key] = (step, cost)
            }
            #expect(cache.count == model.count && cache.cost == model.values.reduce(0) { $0 + $1.cost } && cache.cost <= 1_000)
        }
    }
}
