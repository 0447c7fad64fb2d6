import HTTP

/// What one event loop is asked for most, unpacked and in memory of its own: the fetch path.
///
/// A look-up hashes what decides the bytes, compares it and hands the answer over; nothing is parsed, nothing is allocated, no
/// lock is taken. What is not here is looked for in `RenderedAnswers`, unpacked and kept here for the next.
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
        let row = (hash & mask) &* Self.width
        for place in row..<row &+ Self.width where places[place].hash == hash {
            guard let copy = places[place].copy, copy.app.isCurrent, key.isSpelled(in: copy.prepared, request) else { continue }
            if places[place].uses < Self.mostUses { places[place].uses &+= 1 }
            return copy.prepared.conditional(on: head, request)
        }
        guard let unpacker, let packed = rendered.answer(at: hash), let prepared = packed.unpacked(by: unpacker),
            key.isSpelled(in: prepared, request)
        else { return nil }
        keep(Copy(prepared, of: packed.header.app), hash, in: row)
        return prepared.conditional(on: head, request)
    }

    /// In the place of its kind, or of none, or of what was used least.
    private func keep(_ copy: Copy, _ hash: Int, in row: Int) {
        guard copy.cost <= budget / 4 else { return }
        let row = row..<row + Self.width
        let place =
            row.first { places[$0].hash == hash && places[$0].copy != nil }
            ?? row.first { !(places[$0].copy?.app.isCurrent ?? false) }
            ?? row.min { places[$0].uses < places[$1].uses } ?? row.lowerBound
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
