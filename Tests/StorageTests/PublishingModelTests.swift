import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// Random sequences of saves, approvals, schedules, publishes and passing time, compared with `PublishingModel`.
@Suite(.eachEngine, .namingEngine) struct PublishingModelTests {
    private static let callsInSequence = 12

    @Test func `nothing is published without its approvals, and everything comes back as it should`() throws {
        let seed = ProcessInfo.processInfo.environment["LONGPRESS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...9_999_999)
        var dice = Dice(state: seed)
        let bench = try Workbench()
        let wanted: Set = [
            "publish ok", "publish approval-missing", "approve forbidden", "schedule ok", "put approval-missing", "pass failed", "pass ok",
        ]
        var met: Set<String> = []
        // Until each of the wanted outcomes has occurred. There are only few sequences on PostgreSQL, so some may not occur there.
        let (least, most) = bench.engine == .sqlite ? (300, 3000) : (30, 30)
        var number = 0
        while number < least || number < most && !wanted.isSubset(of: met) {
            defer { number += 1 }
            var sequence = try Sequence(bench.store, "app.\(number)", &dice)
            for call in 0..<Self.callsInSequence {
                let told = try sequence.step(&dice)
                met.insert(told)
                let hint = Comment("LONGPRESS_SEED=\(seed), sequence \(number), call \(call): \(told)")
                try #require(sequence.outcome == sequence.expected, hint)
                try #require(try sequence.stored() == sequence.foreseen, hint)
                try #require(sequence.model.unjustified == [], hint)
            }
            try bench.store.deleteApp(sequence.app, by: author())
        }
        #expect(bench.engine == .postgres || wanted.isSubset(of: met), "LONGPRESS_SEED=\(seed)")
    }
}

/// SplitMix64.
private struct Dice {
    var state: UInt64

    mutating func roll(_ count: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(count))
    }

    /// True once in `count` times.
    mutating func chance(_ count: Int) -> Bool { roll(count) == 0 }
}

/// One app, in the store and in the model.
private struct Sequence {
    let app: AppID
    private let store: Store
    private let change: DraftChange
    private(set) var model = PublishingModel()
    private var now: Int64 = 1000
    private(set) var outcome: String?
    private(set) var expected: String?

    init(_ store: Store, _ name: String, _ dice: inout Dice) throws {
        self.store = store
        app = try store.makeApp(name)
        change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        try require(dice.roll(3))
    }

    /// Makes one call.
    /// - Returns: the call and its result.
    mutating func step(_ dice: inout Dice) throws -> String {
        now += 1
        let token = dice.roll(4)
        let content = dice.roll(3)
        let override = dice.chance(8)
        let until: Int64? = dice.chance(2) ? now + 10 + Int64(dice.roll(20)) : nil
        let reason = override ? OverrideReason("In haste") : nil
        let at = now + 1 + Int64(dice.roll(9))
        let by = author(token)
        switch dice.roll(16) {
        case 0, 1, 2:
            let foreseen = model.save(content, by: token)
            return tell(
                "save", expecting: foreseen,
                try outcome {
                    _ = try store.editDraft(.replacement(try shortcutSet("i\(content)")), change, of: app, by: by)
                })
        case 3, 4, 5:
            let foreseen = model.approve(by: token)
            return tell("approve", expecting: foreseen, try outcome { _ = try store.approveDraft(change, of: app, by: by) })
        case 6:
            let foreseen = model.withdraw(by: token)
            return tell("withdraw", expecting: foreseen, try outcome { try store.withdrawApproval(change, of: app, by: by) })
        case 7 where dice.chance(3):
            let foreseen = model.dropDraft()
            return tell("drop", expecting: foreseen, try outcome { try store.deleteDraft(change, of: app, by: by) })
        case 7, 8:
            let foreseen = model.publishDraft(until: until, override: override)
            return tell(
                "publish", expecting: foreseen,
                try outcome {
                    _ = try store.publishDraft(
                        change, PublishOptions(until: until.map { Timestamp(milliseconds: $0) }), override: reason, of: app, by: by)
                })
        case 9, 10:
            let foreseen = model.schedule(at: at, until: until, override: override)
            return tell(
                "schedule", expecting: foreseen,
                try outcome {
                    _ = try store.scheduleDraft(
                        change, at: Timestamp(milliseconds: at), until: until.map { Timestamp(milliseconds: $0) }, override: reason,
                        of: app,
                        by: by)
                })
        case 11:
            let foreseen = model.put(content, until: until, override: override)
            return tell(
                "put", expecting: foreseen,
                try outcome {
                    try publish(.publish(try shortcutSet("i\(content)")), .none(override: reason), until: until, by: by)
                })
        case 12 where dice.chance(3):
            let foreseen = model.deleteSet(override: override)
            return tell(
                "delete", expecting: foreseen,
                try outcome {
                    try publish(.delete, .none(override: reason), until: nil, by: by)
                })
        case 12:
            let revision = 1 + dice.roll(max(1, model.history.count))
            let foreseen = model.restore(revision, at: override ? at : nil)
            return tell(
                "restore", expecting: foreseen,
                try outcome {
                    guard !override else {
                        _ = try store.scheduleRestore(
                            of: Int64(revision), at: Timestamp(milliseconds: at), expecting: .none, message: nil, of: app, by: by)
                        return
                    }
                    guard let restored = try store.revision(Int64(revision), of: app) else { throw Failure(.unknownResource, "") }
                    try publish(.publish(try restored.requireSet()), .notNeeded, until: nil, by: by)
                })
        case 13 where dice.chance(2):
            try require(dice.roll(3))
            return "rule"
        case 13:
            let entries = try store.schedule(of: app, PageRequest(limit: 200)).items
            guard !entries.isEmpty else { return "cancel nothing" }
            let index = dice.roll(entries.count)
            let foreseen = model.cancel(model.due[index].number)
            return tell(
                "cancel", expecting: foreseen,
                try outcome {
                    try store.cancel(entries[index].id, of: app, by: by)
                })
        default: return try pass(to: now + Int64(dice.roll(12)))
        }
    }

    private mutating func tell(_ call: String, expecting: String?, _ outcome: String?) -> String {
        (self.outcome, expected) = (outcome, expecting)
        return "\(call) \(outcome ?? "ok")"
    }

    /// Nil, or the code of the failure.
    private func outcome(_ call: () throws -> Void) throws -> String? {
        do {
            try call()
            return nil
        } catch let failure as Failure {
            return failure.code.rawValue
        }
    }

    private mutating func pass(to time: Int64) throws -> String {
        now = time
        var failed = 0
        while let fired = try store.fireNextDue(at: Timestamp(milliseconds: now)) { if case .failed = fired { failed += 1 } }
        (outcome, expected) = ("\(failed)", "\(model.pass(to: now))")
        return failed > 0 ? "pass failed" : "pass ok"
    }

    private mutating func require(_ approvals: Int) throws {
        let app = app
        model.needed = approvals
        _ = try store.putApp(app, override: OverrideReason("The rule"), by: author(0)) { snapshot throws(Failure) in
            guard let replaced = snapshot?.app else { throw .unknownApp(app) }
            return App(
                id: app, name: replaced.name, defaultLanguage: replaced.defaultLanguage, fallbackURL: nil, approvals: Int64(approvals))
        }
    }

    private func publish(_ action: SetChange.Action, _ consent: Consent, until: Int64?, by author: Author) throws {
        let change = SetChange(
            version: change.version, audience: .default, action: action, writeCondition: .none, consent: consent,
            until: until.map { Timestamp(milliseconds: $0) })
        _ = try store.publish(change, of: app, by: author)
    }

    /// All tokens have one name, and each has another owner.
    private func author(_ token: Int) -> Author {
        Author(
            token: "ana", tokenID: TokenID("t\(token)"), owner: TokenOwner("t\(token)"), address: "", request: "",
            at: Timestamp(milliseconds: now))
    }

    /// The state of the store, in lines.
    func stored() throws -> [String] {
        let live = try store.set(change.version, .default, of: app)
        let draft = try store.draft(change.version, .default, of: app)
        let approvers = draft?.approvals.map(\.tokenID.description).sorted().joined(separator: " ") ?? ""
        let editorIDs = draft?.editorIDs.map(\.description).sorted().joined(separator: " ") ?? ""
        let last = try store.revisions(of: app, PageRequest(limit: 1)).items.first?.number ?? 0
        return [
            "revision \(live?.revision ?? 0) of \(last) says \(name(live?.set))",
            "draft \(name(draft?.set)) of \(editorIDs), approved by \(approvers)",
        ] + (try store.schedule(of: app, PageRequest(limit: 200)).items.map { "\($0.at.milliseconds) \($0.kind) \(name($0.set))" })
    }

    private func name(_ set: ShortcutSet?) -> String { set?.items.first?.id.description ?? "-" }

    /// The state of the model, in lines.
    var foreseen: [String] {
        func name(_ content: Int?) -> String { content.map { "i\($0)" } ?? "-" }
        func names(_ tokens: Set<Int>?) -> String { tokens?.sorted().map { "t\($0)" }.joined(separator: " ") ?? "" }
        return [
            "revision \(model.live ?? 0) of \(model.history.count) says \(name(model.content(of: model.live)))",
            "draft \(name(model.draft?.content)) of \(names(model.draft?.editorIDs)), approved by \(names(model.draft?.approvers))",
        ]
            + model.due.map { entry in
                switch entry.action {
                case .publish(let draft, _): "\(entry.due) publish \(name(draft.content))"
                case .later(_, let deletes): "\(entry.due) \(deletes ? "delete" : "restore") -"
                case .back(let target, _): "\(entry.due) \(target == nil ? "delete" : "restore") \(name(model.content(of: target)))"
                case .restore(let revision): "\(entry.due) restore \(name(model.content(of: revision)))"
                }
            }
    }
}
