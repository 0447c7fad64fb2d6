import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// Random histories of commits, edits in the console, campaigns, their ends, drafts and applies, with and without approvals, beside a model
/// written from docs/command.md. A menu has the items a and b, each with a title and perhaps a URL.
@Suite(.eachEngine, .namingEngine) struct ApplyMergeModelTests {
    /// By member: `a title`, `a url`, `b title`, `b url`.
    private typealias Menu = [String: String]

    private struct Model {
        var git: Menu? = nil
        var base: Menu? = nil
        var live: Menu? = nil
        /// What the end of the running campaign publishes; nil without a campaign.
        var afterCampaign: Menu?? = .none
        /// Whether applies save drafts.
        var needsApprovals = false
        var draft: Draft?

        struct Draft {
            var menu: Menu
            /// What an apply saved; nil if no apply did.
            var applied: Menu?
            var editors: Set<String>
        }

        enum Plan: Equatable {
            case nothing, drift, change(Menu?), merge(Menu), conflict
        }

        /// What a dry run shows: a draft with the same content is waiting already.
        func shown(prunes: Bool, winner: String?) -> Plan {
            switch plan(prunes: prunes, winner: winner) {
            case .change(let menu?), .merge(let menu):
                needsApprovals && draft?.menu == menu ? .nothing : plan(prunes: prunes, winner: winner)
            case let plan: plan
            }
        }

        /// Whether an apply withdraws the draft of a change that git reverted.
        func withdraws(prunes: Bool, winner: String?) -> Bool {
            switch plan(prunes: prunes, winner: winner) {
            case .change, .merge, .conflict: false
            case .nothing, .drift: draft.map { $0.applied != nil && $0.editors.count == 1 && $0.applied != git } ?? false
            }
        }

        func plan(prunes: Bool, winner: String?) -> Plan {
            if git == live { return .nothing }
            guard let git else {
                guard let base else { return .drift }
                if live == base { return prunes ? .change(nil) : .nothing }
                guard prunes else { return .drift }
                return winner == "git" ? .change(nil) : winner == "live" ? .nothing : .conflict
            }
            if git == base { return .drift }
            if live == base { return .change(git) }
            guard let live else { return winner == "git" ? .change(git) : winner == "live" ? .nothing : .conflict }
            guard let merged = Self.merged(base, git, live, winner) else { return .conflict }
            return merged == live ? .nothing : merged == git ? .change(merged) : .merge(merged)
        }

        /// - Returns: nil for a conflict without a winner.
        static func merged(_ base: Menu?, _ git: Menu, _ live: Menu, _ winner: String?) -> Menu? {
            var merged: Menu = [:]
            for member in Set((base ?? [:]).keys).union(git.keys).union(live.keys) {
                let (old, mine, theirs) = (base?[member], git[member], live[member])
                if mine == theirs || theirs == old {
                    merged[member] = mine
                } else if mine == old {
                    merged[member] = theirs
                } else {
                    guard let winner else { return nil }
                    merged[member] = winner == "git" ? mine : theirs
                }
            }
            return merged
        }

        mutating func apply(prunes: Bool, winner: String?) -> Plan {
            let plan = plan(prunes: prunes, winner: winner)
            if withdraws(prunes: prunes, winner: winner) { draft = nil }
            let isDecided = prunes && winner != nil && base != nil && live != base
            switch plan {
            case .conflict: return plan
            case .change(let menu?) where needsApprovals, .merge(let menu) where needsApprovals:
                if draft?.menu != menu { draft = Draft(menu: menu, applied: git, editors: (draft?.editors ?? []).union(["ci"])) }
                return plan
            case .change(nil) where needsApprovals: return plan
            case .change(let menu), .merge(let menu as Menu?):
                if let git, let restored = afterCampaign {
                    afterCampaign = .some(restored.map { Self.merged(base, git, $0, "git") ?? git } ?? git)
                } else {
                    afterCampaign = .none
                }
                live = menu
            case .nothing, .drift: break
            }
            if git != nil || live == nil || isDecided { base = git }
            return plan
        }
    }

    @Test func `random histories end as the table says`() throws {
        let seed = ProcessInfo.processInfo.environment["LONGPRESS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...9_999_999)
        var random = Chance(seed: seed)
        let bench = try Workbench()
        var kinds: [String: Int] = [:]
        for history in 0..<Self.histories {
            let app = try bench.store.makeApp("com.example.h\(history)")
            // An app that was applied once: before, the published sets count as sent.
            var model = Model(needsApprovals: history % 2 == 1)
            if model.needsApprovals { try requireApproval(for: app, in: bench.store) }
            try apply(nil, to: app, in: bench.store, dryRun: false)
            var log: [String] = []
            for step in 0..<12 {
                log.append(try run(step, &model, &random, app, bench.store, &kinds))
                let hint = Comment("LONGPRESS_SEED=\(seed), history \(history): \(log.joined(separator: "; "))")
                try #require(try live(app, in: bench.store) == model.live, hint)
                let plan = try apply(model.git, to: app, in: bench.store, dryRun: true)
                try #require(Self.kind(of: plan) == model.shown(prunes: false, winner: nil), hint)
                try #require(plan.apps[0].withdrawn.isEmpty != model.withdraws(prunes: false, winner: nil), hint)
                try #require(try draft(of: app, in: bench.store) == model.draft?.menu, hint)
            }
        }
        #expect(["drift", "change", "merge", "conflict", "nothing"].allSatisfy { kinds[$0, default: 0] > 0 }, "\(seed): \(kinds)")
    }

    private static let histories = ProcessInfo.processInfo.environment["LONGPRESS_HISTORIES"].flatMap { Int($0) } ?? 40

    private func run(
        _ step: Int, _ model: inout Model, _ random: inout Chance, _ app: AppID, _ store: Store, _ kinds: inout [String: Int]
    ) throws -> String {
        switch random.below(model.needsApprovals ? 13 : 10) {
        case 0..<3:
            model.git = random.one(in: 8) ? nil : edited(model.git, &random)
            return "git \(model.git.debugDescription)"
        case 3..<5:
            let menu = model.live != nil && random.one(in: 6) ? nil : edited(model.live, &random)
            // The published content again is not a publish, so a campaign goes on.
            guard menu != model.live else { return "console again" }
            (model.live, model.afterCampaign) = (menu, .none)
            try publish(model.live, nil, of: app, in: store)
            return "console \(model.live.debugDescription)"
        case 5 where model.afterCampaign == nil:
            let menu = edited(model.live, &random)
            guard menu != model.live else { return "campaign again" }
            model.afterCampaign = .some(model.live)
            model.live = menu
            try publish(menu, Timestamp(milliseconds: 9000), of: app, in: store)
            return "campaign \(menu)"
        case 6 where model.afterCampaign != nil:
            while try store.fireNextDue(at: 9000) != nil {}
            model.live = model.afterCampaign ?? nil
            model.afterCampaign = .none
            return "the campaign ends"
        case 10:
            let menu = edited(model.draft?.menu ?? model.live, &random)
            // The same content again is not an edit.
            guard menu != model.draft?.menu else { return "draft again" }
            model.draft = Model.Draft(menu: menu, applied: model.draft?.applied, editors: (model.draft?.editors ?? []).union(["ana"]))
            try saveDraft(menu, of: app, in: store)
            return "draft \(menu)"
        case 11:
            guard let draft = model.draft, draft.menu != model.live else { return "no draft" }
            (model.live, model.afterCampaign, model.draft) = (draft.menu, .none, nil)
            if let applied = draft.applied { model.base = applied }
            _ = try store.publishDraft(try place, PublishOptions(), override: Self.reason, of: app, by: author(at: 2000))
            return "the draft is published"
        default:
            let (prunes, winner) = (random.one(in: 4), random.one(in: 3) ? random.one(in: 2) ? "git" : "live" : nil)
            let expected = model.apply(prunes: prunes, winner: winner)
            kinds["\(expected)".prefix { $0 != "(" }.description, default: 0] += 1
            let code = failureCode { try apply(model.git, to: app, in: store, dryRun: false, prunes: prunes, winner: winner) }
            let isDeletion = model.needsApprovals && expected == .change(nil)
            #expect(code == (expected == .conflict ? .preconditionFailed : isDeletion ? .approvalMissing : nil))
            return "apply prune=\(prunes) use=\(winner ?? "-") \(expected)"
        }
    }

    private func edited(_ menu: Menu?, _ random: inout Chance) -> Menu {
        var menu = menu ?? ["a title": "A", "b title": "B"]
        let member = ["a title", "a url", "b title", "b url"][random.below(4)]
        menu[member] = member.hasSuffix("url") && random.one(in: 2) ? nil : "x://\(random.below(3))"
        return menu
    }

    private static func kind(of plan: ApplyPlan) -> Model.Plan {
        let app = plan.apps[0]
        if !app.conflicts.isEmpty { return .conflict }
        if !app.drift.isEmpty { return .drift }
        guard let change = app.sets.first else { return .nothing }
        let menu = change.revision.set.map { Self.menu($0) }
        return change.isMerged ? .merge(menu ?? [:]) : .change(menu)
    }

    private static func menu(_ set: ShortcutSet) -> Menu {
        var menu: Menu = [:]
        for item in set.items {
            menu["\(item.id) title"] = item.titles.rows.first?.text.string
            menu["\(item.id) url"] = item.url?.description
        }
        return menu
    }

    private static func set(_ menu: Menu) -> JSON {
        let items = ["a", "b"].map { id -> JSON in
            [
                "id": .string(id), "type": "t", "title": ["en": .string(menu["\(id) title"] ?? "")],
                "url": menu["\(id) url"].map { .string($0) },
            ]
        }
        return ["items": .array(items)]
    }

    private func live(_ app: AppID, in store: Store) throws -> Menu? {
        try store.set(try version("1.0"), .default, of: app).map { Self.menu($0.set) }
    }

    private static let reason = OverrideReason("It is urgent.")

    private var place: DraftChange {
        get throws { DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none) }
    }

    private func requireApproval(for app: AppID, in store: Store) throws {
        let english = try #require(LanguageTag("en"))
        _ = try store.putApp(app, override: nil, by: author()) { _ in
            App(id: app, name: nil, defaultLanguage: english, fallbackURL: nil, approvals: 1)
        }
    }

    private func draft(of app: AppID, in store: Store) throws -> Menu? {
        try store.draft(try version("1.0"), .default, of: app).map { Self.menu($0.set) }
    }

    private func saveDraft(_ menu: Menu, of app: AppID, in store: Store) throws {
        let set = try ShortcutSetDocument(Self.set(menu), defaultLanguage: try #require(LanguageTag("en"))).checked()
        _ = try store.editDraft(.replacement(set), try place, of: app, by: author(at: 2500, "ana"))
    }

    private func publish(_ menu: Menu?, _ until: Timestamp?, of app: AppID, in store: Store) throws {
        let english = try #require(LanguageTag("en"))
        let action: SetChange.Action =
            try menu.map {
                .publish(try ShortcutSetDocument(Self.set($0), defaultLanguage: english).checked())
            } ?? .delete
        let change = SetChange(
            version: try version("1.0"), audience: .default, action: action, writeCondition: .none,
            consent: .none(override: Self.reason), until: until)
        _ = try store.publish(change, of: app, by: author(at: 2000))
    }

    @discardableResult
    private func apply(
        _ menu: Menu?, to app: AppID, in store: Store, dryRun: Bool, prunes: Bool = false, winner: String? = nil
    ) throws -> ApplyPlan {
        let name = Text(app.description)
        let sets: JSON = ["1.0": menu.map { Self.set($0) }]
        let request: JSON = [
            "apps": .object([JSON.Member(name, ["app": ["defaultLanguage": "en"], "sets": sets])]),
            "use": winner.map { .object([JSON.Member(name, ["1.0": .string($0)])]) },
        ]
        let stored = try #require(try store.app(app))
        let document = try ApplyDocument(request).checked(among: [app: stored], ApplyOptions(prunes: prunes, mode: .merge))
        return try store.apply(document, dryRun: dryRun, by: author(at: 3000, "ci"))
    }
}

/// SplitMix64.
private struct Chance {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    mutating func one(in count: Int) -> Bool { below(count) == 0 }
}
