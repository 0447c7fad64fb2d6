import HTTP
import QuickActions
import Shortcuts

extension RenderedAnswers.State {
    mutating func use(_ hash: Int) -> PackedAnswer? {
        guard let answer = answers[hash] else { return nil }
        if answer.standing.uses < Self.mostUses { answer.standing.uses += 1 }
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

    /// Whether something that nobody has looked up yet is to be kept: where there is room, or where it is asked for again. So what
    /// anybody can make up does not take the place of what is used.
    mutating func admits(_ contents: PackedAnswer.Contents, within budget: Int) -> Bool {
        bytes + contents.cost <= budget || doorkeeper.hasSeen(contents.place)
    }

    /// - Parameter uses: how much it is wanted, before anybody has looked it up.
    mutating func keep(_ contents: PackedAnswer.Contents, of id: AppID, uses: UInt8 = 0, within budget: Int) {
        if let former = answers[contents.place] { remove(former) }
        let app = apps[id] ?? AppAnswers(id)
        apps[id] = app
        let standing = PackedAnswer.Standing(turn: Int32(turns.count), number: Int32(app.places.count), uses: uses)
        let kept = PackedAnswer(contents, of: app, standing)
        app.places.append(contents.place)
        turns.append(kept)
        answers[contents.place] = kept
        bytes += contents.cost
        evict(downTo: budget, sparing: contents.place)
    }

    /// What was used since the hand came by stays for as many rounds, up to a few. The newest stays, and takes no more than a part
    /// of the budget.
    private mutating func evict(downTo budget: Int, sparing newest: Int? = nil) {
        while bytes > budget, !turns.isEmpty {
            if hand >= turns.count { hand = 0 }
            let answer = turns[hand]
            if answer.standing.uses > 0 {
                answer.standing.uses -= 1
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
        let used = app.places.lazy.compactMap { [answers] in answers[$0] }.filter { $0.header.route != nil && $0.standing.uses > 0 }
        return used.prefix(Self.mostRefreshed).map { ($0, $0.standing.uses - 1) }
    }

    /// Where it would take too large a part of the budget, the newest stretch is all that is kept, or nothing. A table without answers
    /// would stay for ever.
    mutating func keep(_ table: NegotiationTable, within budget: Int) {
        guard apps[table.app] != nil else { return }
        let former = tables[table.app]
        let merged = [former.map(table.merging), table].compactMap { $0 }.first { $0.cost <= budget / 4 }
        bytes += (merged?.cost ?? 0) - (former?.cost ?? 0)
        tables[table.app] = merged
        evict(downTo: budget)
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
            lastTurn.standing.turn = answer.standing.turn
            turns[Int(answer.standing.turn)] = lastTurn
        }
        if lastPlace != place {
            answers[lastPlace]?.standing.number = answer.standing.number
            app.places[Int(answer.standing.number)] = lastPlace
        }
        if app.places.isEmpty {
            app.expire()
            apps[app.id] = nil
            bytes -= tables.removeValue(forKey: app.id)?.cost ?? 0
        }
    }

    private static let mostUses: UInt8 = 3
    private static let mostRefreshed = 16
}
