import HTTP

/// What one event loop is asked for most, in memory of its own: the fetch path.
///
/// A look-up hashes what decides the bytes, compares it and hands the answer over; nothing is parsed, nothing is allocated. Two
/// loops that answer with the same menu share no lock and count no references to the same object. What is not here is looked
/// for in `RenderedAnswers`, and what was asked for twice, with nothing else for its place between, is copied from there.
package final class RecentAnswers: AnswerMemory {
    private final class Copy {
        let original: RememberedAnswer
        let key: [UInt8]
        let prepared: PreparedAnswer
        /// What the answers' generation was before it was copied.
        let generation: Int

        init(_ original: RememberedAnswer, since generation: Int) {
            self.original = original
            key = original.key.withUnsafeBufferPointer { Array($0) }
            prepared = original.prepared.copied()
            self.generation = generation
        }
    }

    private struct Place {
        var copy: Copy?
        /// The last one that was asked for and is not the copy.
        var candidate = 0
    }

    /// A power of two. With the bound of what is copied, at most two megabytes a loop beside the budget.
    private static let placeCount = 256
    private static let bodyBound = 8 << 10

    private let rendered: RenderedAnswers
    private let seed: Int
    private var places = Array(repeating: Place(), count: placeCount)

    package init(of rendered: RenderedAnswers) {
        self.rendered = rendered
        seed = rendered.seed
    }

    package func answer(to head: borrowing RequestHead, _ bytes: Span<UInt8>) -> PreparedAnswer? {
        let key = RenderedAnswers.Key(head)
        let hash = key.hash(in: bytes, seed: seed)
        let place = hash & (Self.placeCount - 1)
        let generation = rendered.generation
        if let copy = places[place].copy, copy.generation == generation, key.isSpelled(copy.key, in: bytes) {
            copy.original.representation.noteUse()
            return copy.prepared.conditional(on: head, bytes)
        }
        guard let answer = rendered.answer(for: key, hashed: hash, in: bytes) else { return nil }
        answer.representation.noteUse()
        if places[place].candidate == hash, answer.prepared.body.count <= Self.bodyBound {
            places[place] = Place(copy: Copy(answer, since: generation))
        } else {
            places[place].candidate = hash
        }
        return answer.prepared.conditional(on: head, bytes)
    }
}
