import HTTP
import Shortcuts

/// The cache of one event loop: its most used answers, inflated. It is 4-way set-associative and bounded in bytes, with CLOCK over all
/// slots for eviction. Only the loop may use it.
///
/// A hit hashes the key in the request's head and compares it, without parsing, allocation or lock. On a miss the loop looks in
/// `RenderedAnswers`, first under the request's key, then under the key of the representation that it selects. While the store's freshness
/// is not confirmed there is no hit: a worker asks the store first.
package final class RecentAnswers: AnswerCache {
    private final class Copy {
        let generation: RenderedAnswers.Generation
        let prepared: PreparedAnswer

        init(_ prepared: PreparedAnswer, of generation: RenderedAnswers.Generation) {
            self.generation = generation
            self.prepared = prepared
        }

        /// The memory it takes, in bytes: the array, the objects, and the allocator's overhead.
        var cost: Int { prepared.bytes.count + 176 }
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

    private let rendered: RenderedAnswers
    /// Nil if it is permanent.
    private let freshness: Freshness?
    private let seed: Int
    private let budget: Int
    private let inflater = Inflater()
    private var slots: [Slot]
    private let mask: Int
    private var hand = 0
    private var bytes = 0
    private var doorkeeper = Doorkeeper(capacity: 4096)

    package init(of rendered: RenderedAnswers) {
        self.rendered = rendered
        freshness = rendered.freshness.isPermanent ? nil : rendered.freshness
        seed = rendered.seed
        budget = rendered.loopBudget
        // One slot per KiB, as a power of two, so that the budget is used up before the slots are.
        let sets = max(1, budget >> 10 / Self.ways)
        mask = 1 << (Int.bitWidth - 1 - sets.leadingZeroBitCount) - 1
        slots = Array(repeating: Slot(), count: (mask + 1) * Self.ways)
    }

    deinit { rendered.countInflated(-bytes) }

    package func answer(to head: borrowing RequestHead, _ request: Span<UInt8>) -> PreparedAnswer? {
        if let freshness, !freshness.isConfirmed { return nil }
        let key = AnswerKey.InHead(head)
        let hash = key.hash(in: request, seed: seed)
        for slot in set(of: hash) where slots[slot].hash == hash {
            guard let copy = slots[slot].copy, copy.generation.isCurrent, key.isKey(of: copy.prepared, request) else { continue }
            use(slot)
            return copy.prepared.conditional(on: head, request)
        }
        guard let inflater else { return nil }
        if let kept = rendered.answer(at: hash), let prepared = kept.answer.prepared(by: inflater), key.isKey(of: prepared, request) {
            keep(Copy(prepared, of: kept.generation), hash)
            return prepared.conditional(on: head, request)
        }
        guard let (app, fetch) = FetchRequest.read(head, request), let selected = rendered.selection(by: fetch, of: app),
            let found = answer(as: selected.representation, inflater), found.generation === selected.generation
        else { return nil }
        // From the second request with this key on, it is a hit.
        if doorkeeper.hasSeen(hash) {
            keep(Copy(found.answer.replacingPrefix(key.written(in: request)), of: found.generation), hash)
        }
        return found.answer.conditional(on: head, request)
    }

    /// The cached answer under the representation's own key, or else one completed from its template.
    private func answer(
        as selected: SelectedRepresentation, _ inflater: Inflater
    ) -> (answer: PreparedAnswer, generation: RenderedAnswers.Generation)? {
        let key = selected.key(seed: seed)
        for slot in set(of: key.hash) where slots[slot].hash == key.hash {
            guard let copy = slots[slot].copy, copy.generation.isCurrent, copy.prepared.isKept(for: key) else { continue }
            use(slot)
            return (copy.prepared, copy.generation)
        }
        if let kept = rendered.answer(at: key.hash), let prepared = kept.answer.prepared(by: inflater), prepared.isKept(for: key) {
            keep(Copy(prepared, of: kept.generation), key.hash)
            return (prepared, kept.generation)
        }
        guard let (template, generation) = rendered.template(of: selected), !selected.isGzipped || template.isQuicklyCompressed,
            let answer = template.completed(as: selected)
        else { return nil }
        return (answer.prepared(for: key, selected.resource), generation)
    }

    private func set(of hash: Int) -> Range<Int> {
        let first = (hash & mask) &* Self.ways
        return first..<first &+ Self.ways
    }

    @inline(__always)
    private func use(_ slot: Int) {
        if slots[slot].uses < Self.maxUses { slots[slot].uses &+= 1 }
    }

    /// Stores the copy in the slot with its hash, a free slot of its set, or the least used one. A copy that would evict another is only
    /// stored at its second request (`Doorkeeper`).
    private func keep(_ copy: Copy, _ hash: Int) {
        guard copy.cost <= budget / 4 else { return }
        let set = set(of: hash)
        let free =
            set.first { slots[$0].hash == hash && slots[$0].copy != nil }
            ?? set.first { !(slots[$0].copy?.generation.isCurrent ?? false) }
        if free == nil || bytes + copy.cost > budget, !doorkeeper.hasSeen(hash) { return }
        let slot = free ?? set.min { slots[$0].uses < slots[$1].uses } ?? set.lowerBound
        let before = bytes
        if slots[slot].copy != nil { forget(slot) }
        slots[slot] = Slot(hash: hash, copy: copy)
        bytes += copy.cost
        while bytes > budget { advanceHand() }
        rendered.countInflated(bytes - before)
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
