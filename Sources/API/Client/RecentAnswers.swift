import HTTP
import Shortcuts

/// What one event loop is asked for most, unpacked and in memory of its own: the fetch path.
///
/// A look-up hashes what decides the bytes, compares it and hands the answer over; nothing is parsed, nothing is allocated, no
/// lock is taken. What is not here is looked for in `RenderedAnswers`, unpacked and kept here for the next. Where a request is
/// spelled as none was before, it is looked for as what it selects.
package final class RecentAnswers: AnswerMemory {
    private final class Copy {
        let app: AppAnswers
        let prepared: PreparedAnswer

        init(_ prepared: PreparedAnswer, of app: AppAnswers) {
            self.app = app
            self.prepared = prepared
        }

        /// What it takes in memory: its bytes, the objects, and what the allocator adds.
        var cost: Int { prepared.bytes.count + 176 }
    }

    /// One that may be taken by answers whose hashes have the same low bits.
    private struct Place {
        var hash = 0
        var copy: Copy?
        /// Look-ups since another answer wanted the place.
        var uses: UInt8 = 0
    }

    /// How many places there are for answers of the same low bits.
    private static let width = 4
    private static let mostUses: UInt8 = 3

    private let rendered: RenderedAnswers
    private let seed: Int
    private let budget: Int
    private let unpacker = Unpacker()
    private var places: [Place]
    private let mask: Int
    private var hand = 0
    private var bytes = 0
    private var doorkeeper = Doorkeeper(capacity: 4096)

    package init(of rendered: RenderedAnswers) {
        self.rendered = rendered
        seed = rendered.seed
        budget = rendered.share
        // One for each KiB, as a power of two, so that bytes run out before places do.
        let rows = max(1, budget >> 10 / Self.width)
        mask = 1 << (Int.bitWidth - 1 - rows.leadingZeroBitCount) - 1
        places = Array(repeating: Place(), count: (mask + 1) * Self.width)
    }

    deinit { rendered.countUnpacked(-bytes) }

    package func answer(to head: borrowing RequestHead, _ request: Span<UInt8>) -> PreparedAnswer? {
        let key = RenderedAnswers.Key(head)
        let hash = key.hash(in: request, seed: seed)
        let row = row(of: hash)
        for place in row where places[place].hash == hash {
            guard let copy = places[place].copy, copy.app.isCurrent, key.isSpelled(in: copy.prepared, request) else { continue }
            use(place)
            return copy.prepared.conditional(on: head, request)
        }
        guard let unpacker else { return nil }
        if let packed = rendered.answer(at: hash), let prepared = packed.unpacked(by: unpacker), key.isSpelled(in: prepared, request) {
            keep(Copy(prepared, of: packed.header.app), hash)
            return prepared.conditional(on: head, request)
        }
        guard let fetch = Fetch(head, request), let selected = rendered.selected(by: fetch.request, of: fetch.app),
            let found = answer(as: selected.representation, by: fetch.route, unpacker), found.app === selected.app
        else { return nil }
        // Who spells it in a way of their own is answered without a look at the app from the second time on.
        if doorkeeper.hasSeen(hash) { keep(Copy(found.answer.replacingPrefix(key.spelling(in: request)), of: found.app), hash) }
        return found.answer.conditional(on: head, request)
    }

    /// What is kept for the simplest request that selects the same, or else what its template gives.
    private func answer(
        as selected: SelectedRepresentation, by route: String, _ unpacker: Unpacker
    ) -> (answer: PreparedAnswer, app: AppAnswers)? {
        let key = selected.spelling(seed: seed)
        for place in row(of: key.hash) where places[place].hash == key.hash {
            guard let copy = places[place].copy, copy.app.isCurrent, copy.prepared.isKept(for: key) else { continue }
            use(place)
            return (copy.prepared, copy.app)
        }
        if let packed = rendered.answer(at: key.hash), let prepared = packed.unpacked(by: unpacker), prepared.isKept(for: key) {
            keep(Copy(prepared, of: packed.header.app), key.hash)
            return (prepared, packed.header.app)
        }
        guard let template = rendered.template(of: selected, unpacker), !selected.isGzipped || template.template.isQuicklyCompressed,
            let answer = template.template.completed(as: selected, prefix: key.bytes, by: route)
        else { return nil }
        return (answer, template.app)
    }

    private func row(of hash: Int) -> Range<Int> {
        let first = (hash & mask) &* Self.width
        return first..<first &+ Self.width
    }

    @inline(__always)
    private func use(_ place: Int) {
        if places[place].uses < Self.mostUses { places[place].uses &+= 1 }
    }

    /// In the place of its kind, or of none, or of what was used least. What would displace something is kept only where it is
    /// asked for again.
    private func keep(_ copy: Copy, _ hash: Int) {
        guard copy.cost <= budget / 4 else { return }
        let row = row(of: hash)
        let free =
            row.first { places[$0].hash == hash && places[$0].copy != nil } ?? row.first { !(places[$0].copy?.app.isCurrent ?? false) }
        if free == nil || bytes + copy.cost > budget, !doorkeeper.hasSeen(hash) { return }
        let place = free ?? row.min { places[$0].uses < places[$1].uses } ?? row.lowerBound
        let before = bytes
        if places[place].copy != nil { forget(place) }
        places[place] = Place(hash: hash, copy: copy)
        bytes += copy.cost
        while bytes > budget { passHand() }
        rendered.countUnpacked(bytes - before)
    }

    /// What was used since the hand came by stays for as many rounds, up to a few.
    private func passHand() {
        hand = hand &+ 1 == places.count ? 0 : hand &+ 1
        guard let copy = places[hand].copy else { return }
        if places[hand].uses > 0, copy.app.isCurrent { places[hand].uses -= 1 } else { forget(hand) }
    }

    private func forget(_ place: Int) {
        bytes -= places[place].copy?.cost ?? 0
        places[place] = Place()
    }
}

extension RenderedAnswers.Key {
    @inline(__always)
    fileprivate func isSpelled(in answer: PreparedAnswer, _ request: Span<UInt8>) -> Bool {
        isSpelled(answer.bytes.span.extracting(answer.layout.prefix), in: request)
    }
}
