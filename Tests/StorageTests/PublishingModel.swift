/// A second implementation of one set's history: drafts, approvals, the schedule and automatic reverts. A content is a number.
struct PublishingModel {
    struct Draft: Equatable {
        var content: Int
        var editorIDs: Set<Int>
        var approvers: Set<Int> = []
    }

    enum Action: Equatable {
        case publish(Draft, isOverridden: Bool)
        /// The automatic revert of the publish with that number, which is still scheduled. `deletes` is only for display.
        case later(publish: Int, deletes: Bool)
        /// Reverts to a revision, or to nothing, while the other revision is current.
        case back(to: Int?, from: Int)
        case restore(Int)
    }

    struct Entry: Equatable {
        let number: Int
        let due: Int64
        var action: Action
    }

    var needed = 0
    var draft: Draft?
    var entries: [Entry] = []
    /// The content of each revision; nil for a deletion.
    var history: [Int?] = []
    /// The current revision.
    var live: Int?
    /// The revisions without enough approvals and without a reason. There must be none.
    private(set) var unjustified: [Int] = []
    private var made = 0

    /// The result of a call: nil, or the code of its failure.
    typealias Outcome = String?

    func content(of revision: Int?) -> Int? { revision.flatMap { history[$0 - 1] } }

    mutating func save(_ content: Int, by token: Int) -> Outcome {
        if draft?.content != content { draft = Draft(content: content, editorIDs: (draft?.editorIDs ?? []).union([token])) }
        return nil
    }

    mutating func approve(by token: Int) -> Outcome {
        guard let current = draft else { return "unknown-resource" }
        guard !current.editorIDs.contains(token) else { return "forbidden" }
        draft?.approvers.insert(token)
        return nil
    }

    mutating func withdraw(by token: Int) -> Outcome {
        draft?.approvers.remove(token)
        return nil
    }

    mutating func dropDraft() -> Outcome {
        defer { draft = nil }
        return draft == nil ? "unknown-resource" : nil
    }

    mutating func publishDraft(until: Int64?, override: Bool) -> Outcome {
        guard let current = draft else { return "unknown-resource" }
        guard override || current.approvers.count >= needed else { return "approval-missing" }
        let replaced = live
        if write(current.content, isJustified: true) { end(at: until, to: replaced) }
        draft = nil
        return nil
    }

    mutating func schedule(at due: Int64, until: Int64?, override: Bool) -> Outcome {
        guard let current = draft else { return "unknown-resource" }
        let isEnough = current.approvers.count >= needed
        guard override || isEnough else { return "approval-missing" }
        let publish = add(.publish(current, isOverridden: !isEnough), at: due)
        if let until { add(.later(publish: publish, deletes: live == nil), at: until) }
        draft = nil
        return nil
    }

    mutating func put(_ content: Int, until: Int64?, override: Bool) -> Outcome {
        if content == self.content(of: live) { return nil }
        guard override || needed == 0 else { return "approval-missing" }
        let replaced = live
        _ = write(content, isJustified: true)
        end(at: until, to: replaced)
        return nil
    }

    mutating func deleteSet(override: Bool) -> Outcome {
        guard live != nil else { return "unknown-resource" }
        guard override || needed == 0 else { return "approval-missing" }
        writeDeletion()
        return nil
    }

    mutating func restore(_ revision: Int, at due: Int64?) -> Outcome {
        guard history.indices.contains(revision - 1) else { return "unknown-resource" }
        guard let content = history[revision - 1] else { return "conflict" }
        if let due { add(.restore(revision), at: due) } else { _ = write(content, isJustified: true) }
        return nil
    }

    mutating func cancel(_ number: Int) -> Outcome {
        entries.removeAll { $0.number == number }
        dropLater(of: number)
        return nil
    }

    /// Ordered by time.
    var due: [Entry] { entries.sorted { ($0.due, $0.number) < ($1.due, $1.number) } }

    /// - Returns: the number of failed entries.
    mutating func pass(to now: Int64) -> Int {
        var failed = 0
        while let entry = due.first, entry.due <= now {
            entries.removeAll { $0.number == entry.number }
            if !fire(entry) { failed += 1 }
        }
        return failed
    }

    private mutating func fire(_ entry: Entry) -> Bool {
        switch entry.action {
        case .publish(let draft, let isOverridden):
            let isJustified = draft.approvers.count >= needed || isOverridden
            guard isJustified else {
                dropLater(of: entry.number)
                if self.draft == nil { self.draft = draft }
                return false
            }
            let replaced = live
            guard write(draft.content, isJustified: isJustified), let live else {
                dropLater(of: entry.number)
                return true
            }
            for index in entries.indices where entries[index].isLater(of: entry.number) {
                entries[index].action = .back(to: replaced, from: live)
            }
        case .later: return false
        case .back(let target, let expected) where live == expected:
            guard let target, let content = history[target - 1] else {
                writeDeletion()
                return true
            }
            _ = write(content, isJustified: true)
            for index in entries.indices {
                if case .back(let other, target) = entries[index].action, let live {
                    entries[index].action = .back(to: other, from: live)
                }
            }
        case .back(let target, let expected):
            var isHandedOn = false
            for index in entries.indices {
                if case .back(.some(expected), let other) = entries[index].action {
                    entries[index].action = .back(to: target, from: other)
                    isHandedOn = true
                }
            }
            return isHandedOn
        case .restore(let revision):
            if let content = history[revision - 1] { _ = write(content, isJustified: true) }
        }
        return true
    }

    /// - Returns: false if the content is already published.
    private mutating func write(_ content: Int, isJustified: Bool) -> Bool {
        guard content != self.content(of: live) else { return false }
        history.append(content)
        live = history.count
        if !isJustified { unjustified.append(history.count) }
        return true
    }

    private mutating func writeDeletion() {
        history.append(nil)
        live = nil
    }

    private mutating func end(at until: Int64?, to replaced: Int?) {
        if let until, let live { add(.back(to: replaced, from: live), at: until) }
    }

    @discardableResult
    private mutating func add(_ action: Action, at due: Int64) -> Int {
        made += 1
        entries.append(Entry(number: made, due: due, action: action))
        return made
    }

    private mutating func dropLater(of publish: Int) {
        entries.removeAll { $0.isLater(of: publish) }
    }
}

extension PublishingModel.Entry {
    fileprivate func isLater(of publish: Int) -> Bool {
        if case .later(publish, _) = action { true } else { false }
    }
}
