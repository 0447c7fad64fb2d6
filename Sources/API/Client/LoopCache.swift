import HTTP
import Shortcuts

/// The cache of one event loop: copies of its most used answers, so that loops do not share reference counts. It is 4-way
/// set-associative and bounded in bytes, with CLOCK over all slots for eviction. Only the loop may use it.
///
/// A hit hashes the key in the request's head and compares it, without parsing, allocation or lock. On a miss the loop looks for the key
/// in the `SharedCache`. Only then it parses the request, once, and looks for the representation that it selects. If that is not cached
/// either, a worker renders it from the parsed fetch. While the store's freshness is not confirmed there is no hit: a worker asks the store
/// first.
package final class LoopCache: AnswerCache {
    private final class Copy {
        let generation: SharedCache.Generation
        let answer: PreparedAnswer

        init(_ answer: PreparedAnswer, of generation: SharedCache.Generation) {
            self.generation = generation
            self.answer = answer
        }

        /// The memory it takes, in bytes: the array, the objects, and the allocator's overhead.
        var cost: Int { answer.bytes.count + 176 }
    }

    private struct Slot {
        var hash = 0
        var copy: Copy?
        /// The number of lookups, up to `maxUses`; the clock hand counts it down.
        var uses: UInt8 = 0
    }

    /// The number of slots of a set.
    private static let ways = 4
    private static let maxUses: UInt8 = 3

    private let shared: SharedCache
    private let routes: ClientRoutes
    /// Nil if it is permanent.
    private let freshness: Freshness?
    private let seed: Int
    private let budget: Int
    private var slots: [Slot]
    private let mask: Int
    private var hand = 0
    private var bytes = 0

    package init(of shared: SharedCache, for routes: ClientRoutes) {
        self.shared = shared
        self.routes = routes
        freshness = shared.freshness.isPermanent ? nil : shared.freshness
        seed = shared.seed
        budget = shared.loopBudget
        // One slot per KiB, as a power of two, so that the budget is used up before the slots are.
        let sets = max(1, budget >> 10 / Self.ways)
        mask = 1 << (Int.bitWidth - 1 - sets.leadingZeroBitCount) - 1
        slots = Array(repeating: Slot(), count: (mask + 1) * Self.ways)
    }

    deinit { shared.countLoopBytes(-bytes) }

    package func answer(to head: borrowing RequestHead, _ request: Span<UInt8>) -> PreparedAnswer? {
        if let freshness, !freshness.isConfirmed { return nil }
        let key = AnswerKey.InHead(head)
        let hash = key.hash(in: request, seed: seed)
        for slot in set(of: hash) where slots[slot].hash == hash {
            guard let copy = slots[slot].copy, copy.generation.isCurrent, key.isKey(of: copy.answer, request) else { continue }
            if slots[slot].uses < Self.maxUses { slots[slot].uses &+= 1 }
            return copy.answer.conditional(on: head, request)
        }
        guard let (answer, generation) = shared.answer(at: hash), key.isKey(of: answer, request) else { return nil }
        return copied(answer, of: generation, under: key.key(in: request, hash: hash)).conditional(on: head, request)
    }

    package func resolve(_ head: borrowing RequestHead, _ request: Span<UInt8>) -> CacheResolution? {
        guard let (app, fetch) = FetchRequest.read(head, request) else { return nil }
        let inHead = AnswerKey.InHead(head)
        let spelling = inHead.key(in: request, hash: inHead.hash(in: request, seed: seed))
        var lookup = freshness?.isConfirmed ?? true ? shared.lookUp(fetch, of: app) : nil
        if case .unknown? = lookup, freshness != nil { lookup = nil }
        let found: (answer: PreparedAnswer, generation: SharedCache.Generation)? =
            switch lookup {
            case .answer(let answer, let generation): (answer, generation)
            case .template(let template, let selection) where template.isQuick(for: selection.representation):
                template.completed(as: selection.representation, selection.key).map { ($0, selection.generation) }
            case .template, .representation, .absent, .unknown, nil: nil
            }
        guard let (answer, generation) = found else { return .decision(routes.decision(for: fetch, of: app, spelling, lookup)) }
        return .answer(copied(answer, of: generation, under: spelling).conditional(on: head, request))
    }

    /// Keeps a copy under the request's key.
    private func copied(_ answer: PreparedAnswer, of generation: SharedCache.Generation, under key: AnswerKey) -> PreparedAnswer {
        let copy = Copy(answer.replacingPrefix(key.bytes), of: generation)
        keep(copy, key.hash)
        return copy.answer
    }

    private func set(of hash: Int) -> Range<Int> {
        let first = (hash & mask) &* Self.ways
        return first..<first &+ Self.ways
    }

    /// Stores the copy in the slot with its hash, a free slot of its set, or the least used one.
    private func keep(_ copy: Copy, _ hash: Int) {
        guard copy.cost <= budget / 4 else { return }
        let set = set(of: hash)
        let slot =
            set.first { slots[$0].hash == hash && slots[$0].copy != nil }
            ?? set.first { !(slots[$0].copy?.generation.isCurrent ?? false) }
            ?? set.min { slots[$0].uses < slots[$1].uses } ?? set.lowerBound
        let before = bytes
        forget(slot)
        slots[slot] = Slot(hash: hash, copy: copy)
        bytes += copy.cost
        while bytes > budget { advanceHand() }
        shared.countLoopBytes(bytes - before)
    }

    /// Advances the clock hand by one slot: counts its uses down, or evicts it at 0 or with an ended generation.
    private func advanceHand() {
        hand = hand &+ 1 == slots.count ? 0 : hand &+ 1
        guard let copy = slots[hand].copy else { return }
        if slots[hand].uses > 0, copy.generation.isCurrent { slots[hand].uses -= 1 } else { forget(hand) }
    }

    private func forget(_ slot: Int) {
        bytes -= slots[slot].copy?.cost ?? 0
        slots[slot] = Slot()
    }
}
