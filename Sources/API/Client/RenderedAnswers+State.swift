import HTTP
import Shortcuts

extension RenderedAnswers.State {
    mutating func use(_ hash: Int) -> PackedAnswer? {
        guard let answer = answers[hash] else { return nil }
        if answer.header.uses < Self.mostUses { answer.header.uses += 1 }
        return answer
    }

    /// What answers like this one are packed with; nil while there are too few to tell.
    mutating func sample(with bytes: [UInt8]) -> Sample? {
        guard sample == nil else { return sample }
        firstBytes += bytes.prefix(Sample.size - firstBytes.count)
        guard firstBytes.count == Sample.size else { return nil }
        sample = Sample(firstBytes)
        firstBytes = []
        return sample
    }

    /// - Parameter uses: how much it is wanted, before anybody has looked it up.
    mutating func keep(_ contents: PackedAnswer.Contents, of id: AppID, uses: UInt8 = 0, within budget: Int) {
        if let former = answers[contents.place] { remove(former) }
        let app = apps[id] ?? AppAnswers(id)
        apps[id] = app
        let kept = PackedAnswer(contents, of: app, turn: turns.count, number: app.places.count, uses: uses)
        app.places.append(contents.place)
        turns.append(kept)
        answers[contents.place] = kept
        bytes += contents.cost
        evict(downTo: budget, sparing: contents.place)
    }

    /// What was used since the hand came by stays for as many rounds, up to a few. The newest stays, and takes no more than a part
    /// of the budget.
    private mutating func evict(downTo budget: Int, sparing newest: Int) {
        while bytes > budget, !turns.isEmpty {
            if hand >= turns.count { hand = 0 }
            let answer = turns[hand]
            if answer.header.uses > 0 {
                answer.header.uses -= 1
            } else if answer.header.place != newest {
                remove(answer)
            }
            hand += 1
        }
    }

    /// Those of an app's answers that were looked up since they were rendered, as many as may be rendered anew at once, and how
    /// much each will be wanted then.
    func wanted(of id: AppID) -> [(answer: PackedAnswer, uses: UInt8)] {
        guard let app = apps[id] else { return [] }
        let used = app.places.lazy.compactMap { [answers] in answers[$0] }.filter { $0.header.uses > 0 }
        return used.prefix(Self.mostRefreshed).map { ($0, $0.header.uses - 1) }
    }

    mutating func drop(_ id: AppID) {
        guard let app = apps[id] else { return }
        for place in app.places { if let answer = answers[place] { remove(answer) } }
    }

    /// An app of which nothing is kept has no entry, and copies of what was are not current.
    private mutating func remove(_ answer: PackedAnswer) {
        let (app, place) = (answer.header.app, answer.header.place)
        answers[place] = nil
        bytes -= Int(answer.header.cost)
        // The last one takes its turn and its number.
        let (lastTurn, lastPlace) = (turns.removeLast(), app.places.removeLast())
        if lastTurn.header.place != place {
            lastTurn.header.turn = answer.header.turn
            turns[Int(answer.header.turn)] = lastTurn
        }
        if lastPlace != place {
            answers[lastPlace]?.header.number = answer.header.number
            app.places[Int(answer.header.number)] = lastPlace
        }
        if app.places.isEmpty {
            app.expire()
            apps[app.id] = nil
        }
    }

    private static let mostUses: UInt8 = 3
    private static let mostRefreshed = 16
}
