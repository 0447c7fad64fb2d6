import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// Applies random trees to random states, and compares the results with the model.
@Suite(.eachEngine, .namingEngine) struct ApplyModelTests {
    private static let rounds = 150

    @Test func `what is applied is what the trees say, and what is refused writes nothing`() throws {
        let seed = ProcessInfo.processInfo.environment["LONGPRESS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...9_999_999)
        var generator = RequestGenerator(seed: seed)
        let bench = try Workbench()
        var model = ApplyModel()
        var outcomes: [String: Int] = [:]
        for round in 0..<Self.rounds {
            let hint = Comment("LONGPRESS_SEED=\(seed), round \(round)")
            if generator.chance(20), let (id, _) = model.apps.min(by: { $0.key < $1.key }) {
                try bench.store.deleteApp(try appID(id), by: author())
                model.apps[id] = nil
            }
            let request = generator.request(on: model)
            let before = try Traces(of: bench.store)
            let planned = outcome { try plan(request, generator.spelling, dryRun: true, in: bench.store) }
            #expect(try Traces(of: bench.store) == before, hint)
            let applied = outcome { try plan(request, generator.spelling, dryRun: false, in: bench.store) }
            let expected = model.apply(request)
            try #require(applied == expected, hint)
            try #require(planned == expected, hint)
            let after = try Traces(of: bench.store)
            switch expected {
            case .refused(let code):
                outcomes[code.rawValue, default: 0] += 1
                #expect(after == before, hint)
            case .applied(let changes):
                outcomes[changes.isEmpty ? "empty" : "applied", default: 0] += 1
                #expect(after == before.after(changes), hint)
                #expect(try plan(request.withoutBase, generator.spelling, dryRun: true, in: bench.store).isEmpty, hint)
            }
            try expectSame(bench.store, model, hint)
        }
        // Each of these outcomes occurs in almost every round; `unknown-app` and `conflict` are too rare to be required.
        let met = ["applied", "empty", "invalid-document", "precondition-failed", "id-reused"]
        #expect(met.allSatisfy { outcomes[$0] != nil }, "LONGPRESS_SEED=\(seed): \(outcomes)")
    }

    private func plan(_ request: ApplyModel.Request, _ spelling: Int, dryRun: Bool, in store: Store) throws -> ApplyPlan {
        let document = ApplyDocument(try JSON(document: Array(request.json(spelling).utf8)))
        let named = try document.names.compactMap { name in try store.app(try appID(name)).map { ($0.id, $0) } }
        let apps = Dictionary(uniqueKeysWithValues: named)
        try document.requireKnownApps(among: apps)
        let checked = try document.checked(among: apps, ApplyOptions(prunes: request.prunes))
        return try store.apply(checked, dryRun: dryRun, by: author())
    }

    private func outcome(_ apply: () throws -> ApplyPlan) -> ApplyModel.Outcome? {
        do {
            return .applied(changes: Set(try apply().json(isDryRun: false).changes))
        } catch {
            return (error as? Failure).map { .refused($0.code) }
        }
    }

    /// Checks that the store has the state of the model. It is read as by a restarted service, without caches.
    private func expectSame(_ store: Store, _ model: ApplyModel, _ hint: Comment) throws {
        for (id, app) in model.apps {
            let snapshot = try #require(try store.snapshot(of: try appID(id)), hint)
            let stored = try StoreReader(store.database).snapshot(of: try appID(id))
            #expect(snapshot.lastRevision == app.revision && stored?.lastRevision == app.revision, hint)
            #expect(snapshot.app.defaultLanguage.description == app.language && snapshot.app.name?.string == app.name, hint)
            let releases = snapshot.releases.map { "\($0.id) \($0.displayName?.string ?? "")" }
            #expect(releases == app.releases.sorted { $0.key < $1.key }.map { "\($0.key).0.0 \($0.value)" }, hint)
            let sets = app.sets.map { "\($0.key.audience) \($0.key.version).0.0 \($0.value.json)" }.sorted()
            #expect(snapshot.published == sets && stored?.published == sets, hint)
        }
        #expect(try store.apps(PageRequest(), within: .all).items.map(\.id.description) == model.apps.keys.sorted(), hint)
    }
}

extension AppSnapshot {
    fileprivate var published: [String] {
        timelines.values.flatMap { timeline in
            timeline.sets.map { "\(timeline.audience) \($0.version) \(String(decoding: $0.set.canonicalJSON, as: UTF8.self))" }
        }.sorted()
    }
}

extension ApplyModel.Request {
    fileprivate var withoutBase: ApplyModel.Request { ApplyModel.Request(trees: trees, base: [:], prunes: prunes) }
}

extension JSON {
    /// `app kind name action` of each change in the answer to an apply.
    fileprivate var changes: [String] {
        (self["apps"]?.members ?? []).flatMap { app -> [String] in
            guard case .array(let changes)? = app.value["changes"] else { return [] }
            return changes.map { change in
                let audience = change["audience"]?.word.map { "@\($0)" } ?? ""
                return "\(app.name.string) \(change["kind"]?.word ?? "") \(change["version"]?.word ?? "")\(audience) "
                    + (change["action"]?.word ?? "")
            }
        }
    }

    private var word: String? {
        if case .string(let text) = self { text.string } else { nil }
    }
}

/// The number of rows in the tables that a write changes.
private struct Traces: Equatable {
    private var revisions, audit: Int
    private var events: [String: Int] = [:]
    private static let types = ["shortcuts.published", "shortcuts.deleted", "release.imported", "app.created"]

    init(of store: Store) throws {
        revisions = try store.count("revisions")
        audit = try store.count("audit", where: "action = 'store.applied'")
        for type in Self.types { events[type] = try store.count("events", where: "type = '\(type)'") }
    }

    /// A revision and an event for each set, an event for each release and each new app, and one audit entry.
    func after(_ changes: Set<String>) -> Traces {
        var after = self
        for change in changes {
            let words = change.split(separator: " ")
            if words.contains("set") {
                after.revisions += 1
                after.events[words.last == "delete" ? "shortcuts.deleted" : "shortcuts.published", default: 0] += 1
            } else if words.contains("release") {
                after.events["release.imported", default: 0] += 1
            } else if words.last == "create" {
                after.events["app.created", default: 0] += 1
            }
        }
        if !changes.isEmpty { after.audit += 1 }
        return after
    }
}

/// Makes requests from few names, so that they often concern the same things.
private struct RequestGenerator {
    private var state: UInt64
    /// The spelling of versions in the last request.
    private(set) var spelling = 0

    init(seed: UInt64) {
        state = seed
    }

    /// True once in `count` times.
    mutating func chance(_ count: Int) -> Bool { number(count) == 0 }

    mutating func request(on model: ApplyModel) -> ApplyModel.Request {
        spelling = number(6)
        var trees: [String: ApplyModel.Tree] = [:]
        for id in ["a", "b"] where !chance(3) { trees[id] = tree(of: model.apps[id]) }
        var base: [String: Int64] = [:]
        for id in trees.keys.sorted() where chance(3) {
            base[id] = max(0, (model.apps[id]?.revision ?? 0) - (chance(6) ? 1 : 0))
        }
        return ApplyModel.Request(trees: trees, base: base, prunes: chance(3))
    }

    private mutating func tree(of app: ApplyModel.App?) -> ApplyModel.Tree {
        // Mostly the stored state with a few changes, like a tree in git.
        var tree = ApplyModel.Tree(app: nil, sets: app?.sets ?? [:], releases: app?.releases ?? [:])
        if app == nil || chance(8) {
            if !chance(4) { tree.app = (chance(4) ? "ko" : "en", chance(2) ? "Notes" : nil) }
        } else if let app, chance(2) {
            tree.app = (app.language, app.name)
        }
        for key in tree.sets.keys.sorted() where chance(5) { tree.sets[key] = nil }
        // Then sets that are not in the tree may lack titles in a new default language.
        if let language = tree.app?.language, language != app?.language, !chance(4) {
            tree.sets = tree.sets.filter { $0.value.languages.contains(language) }
        }
        for _ in 0..<number(3) {
            tree.sets[ApplyModel.Key(audience: chance(3) ? "member" : "default", version: 1 + number(4))] = content()
        }
        if chance(4) { tree.releases[1 + number(3)] = ["Notes", "Memo"][number(2)] }
        return tree
    }

    private mutating func content() -> ApplyModel.Content {
        let ids = ["a", "b", "c", "d", "e", "f"]
        var items = ids.filter { _ in chance(3) }
        if chance(3) { items.reverse() }
        var ended = ids.filter { !items.contains($0) && chance(4) }
        var replaces: [String: String] = [:]
        if let first = items.first, let last = ended.last, chance(2) {
            replaces[first] = last
            ended.removeLast()
        }
        let languages: Set = chance(12) ? ["ko"] : chance(3) ? ["en"] : ["en", "ko"]
        let title = ["New", "Write"][number(2)]
        // Without items there is no title, so two sets could not differ in language.
        return ApplyModel.Content(
            items: items, title: items.isEmpty ? "" : title, languages: items.isEmpty ? [] : languages, replaces: replaces, retired: ended)
    }

    /// From 0 on, below `count`. SplitMix64.
    private mutating func number(_ count: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(count))
    }
}
