import Shortcuts

extension RenderedAnswers.State {
    mutating func keep(_ representation: Representation) {
        guard !representation.isKept else { return }
        representation.isKept = true
        representations[representation.name] = representation
        byApp[representation.app, default: []].append(representation)
        clock.append(representation)
        bytes += representation.cost
    }

    /// Its representation is kept already.
    mutating func keep(_ answer: RememberedAnswer, at hash: Int) {
        if let former = answers[hash] { forget(former, at: hash) }
        let representation = answer.representation
        if representation.spellings.count >= RenderedAnswers.spellingLimit, let oldest = representation.spellings.first,
            let former = answers[oldest]
        {
            forget(former, at: oldest)
        }
        answers[hash] = answer
        representation.spellings.append(hash)
        representation.answersCost += answer.cost
        bytes += answer.cost
    }

    /// What was used since the hand came by stays for as many rounds, up to a few. What is new is looked at last.
    mutating func evict(downTo budget: Int) {
        while bytes > budget, !clock.isEmpty {
            if hand >= clock.count { hand = 0 }
            let representation = clock[hand]
            if representation.isKept, representation.takeUse() {
                hand += 1
                continue
            }
            remove(representation)
            let newest = clock.removeLast()
            if hand < clock.count { clock[hand] = newest }
            hand += 1
        }
        if clock.count > 64 + 2 * representations.count {
            clock.removeAll { !$0.isKept }
            hand = 0
        }
    }

    /// Its answers go with it.
    mutating func remove(_ representation: Representation) {
        guard representation.isKept else { return }
        representation.isKept = false
        for hash in representation.spellings { answers[hash] = nil }
        bytes -= representation.cost
        representation.forgetSpellings()
        representations[representation.name] = nil
        byApp[representation.app]?.removeAll { $0 === representation }
        if byApp[representation.app]?.isEmpty ?? false { byApp[representation.app] = nil }
    }

    private mutating func forget(_ answer: RememberedAnswer, at hash: Int) {
        answers[hash] = nil
        answer.representation.spellings.removeAll { $0 == hash }
        answer.representation.answersCost -= answer.cost
        bytes -= answer.cost
    }
}
