import Synchronization

/// Counters with two labels.
final class LabeledCounts: Sendable {
    struct Key: Hashable, Comparable {
        let name: String
        let result: String

        static func < (left: Key, right: Key) -> Bool { (left.name, left.result) < (right.name, right.result) }
    }

    private let counts = Mutex<[Key: Int]>([:])

    func add(_ name: String, _ result: String) {
        counts.withLock { $0[Key(name: name, result: result), default: 0] += 1 }
    }

    var all: [Key: Int] { counts.withLock { $0 } }
}

/// A monotonic counter.
package final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    package func add(_ amount: Int = 1) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    package var value: Int { count.load(ordering: .relaxed) }
}

/// A histogram with fixed buckets, in seconds.
package final class Histogram: Sendable {
    let upperBounds: [Double]
    private let nanosecondBounds: [UInt64]
    private let buckets: [Counter]
    private let sum = Counter()

    init(upperBounds: [Double]) {
        self.upperBounds = upperBounds
        nanosecondBounds = upperBounds.map { UInt64($0 * 1e9) }
        buckets = (0...upperBounds.count).map { _ in Counter() }
    }

    func observe(nanoseconds: UInt64) {
        let bucket = nanosecondBounds.firstIndex { nanoseconds <= $0 } ?? nanosecondBounds.count
        buckets[bucket].add()
        sum.add(Int(clamping: nanoseconds))
    }

    /// Adds the counts of a histogram with the same bounds.
    func add(_ other: Histogram) {
        for (mine, others) in zip(buckets, other.buckets) { mine.add(others.value) }
        sum.add(other.sum.value)
    }

    /// The cumulative counts up to each bound; the last one is up to infinity.
    var cumulative: [Int] {
        var total = 0
        return buckets.map { bucket in
            total += bucket.value
            return total
        }
    }

    var seconds: Double { Double(sum.value) / 1e9 }
}
