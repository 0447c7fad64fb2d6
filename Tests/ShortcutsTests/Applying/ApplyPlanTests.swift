import QuickActions
import Testing

@testable import Shortcuts

@Suite struct ApplyPlanTests {
    /// Sets in the notation of `sketch`, by name.
    private func tree(_ sets: KeyValuePairs<String, String>, releases: String = "", app: String = "") throws -> String {
        let written = try sets.map { name, words in #""\#(name)":\#(try sketch(words).json.text)"# }
        return #"{\#(app)"sets":{\#(written.joined(separator: ","))},"releases":{\#(releases)}}"#
    }

    private func plan(
        _ tree: String, on snapshot: AppSnapshot, base: Int64? = nil, _ options: ApplyOptions = ApplyOptions(),
        known: Set<ItemID> = []
    ) throws -> ApplyPlan {
        let id = snapshot.app.id
        let base = base.map { #","base":{"\#(id)":\#($0)}"# } ?? ""
        let document = ApplyDocument(try read(#"{"apps":{"\#(id)":\#(tree)}\#(base)}"#))
        let request = try document.checked(among: [id: snapshot.app], options)
        return try ApplyPlan(
            request, in: [id: ApplyState(snapshot: snapshot, lastRevision: snapshot.lastRevision)],
            known: { ids, _, _ in ids.intersection(known) }, by: author)
    }

    private func current(_ sets: KeyValuePairs<String, String>, releases: [Release] = [], approvals: Int64 = 0) throws -> AppSnapshot {
        let timeline = try timeline(sets)
        let app = App(
            id: try #require(AppID("com.example.notes")), name: nil, defaultLanguage: try tag("en"), fallbackURL: nil, approvals: approvals)
        return AppSnapshot(
            app: app, timelines: sets.isEmpty ? [:] : [.default: timeline], releases: releases, lastRevision: Int64(sets.count))
    }

    /// `version: code path` of each warning.
    private func warnings(_ plan: ApplyPlan) -> [String] {
        plan.apps.flatMap(\.sets).flatMap { change in change.warnings.map { "\(change.revision.version): \($0.code) \($0.path)" } }
    }

    @Test func `warnings are of the state after all changes`() throws {
        let old = try current(["1.0": "a"])
        // This request publishes b; the release that lacks the image is in the request.
        let plain = try plan(try tree(["1.0": "a b", "2.0": "c<b a"]), on: old)
        #expect(warnings(plain) == [])
        #expect(warnings(try plan(try tree(["2.0": "c<b a"]), on: old)) == ["2.0.0: unknown-id items[0].replaces[0]"])
        #expect(warnings(try plan(try tree(["2.0": "c<b a"]), on: old, known: [try id("b")])) == [])
        let crowded = #""2.0":{"staticItems":[{"type":"s","title":"1"},{"type":"s","title":"2"},{"type":"s","title":"3"}]}"#
        #expect(warnings(try plan(try tree(["2.0": "c a"], releases: crowded), on: old)) == ["2.0.0: over-budget items"])
    }

    @Test func `an id is dropped where neither the previous set nor the one before it knows it any more`() throws {
        let old = try current(["1.0": "a b", "2.0": "a b"])
        #expect(warnings(try plan(try tree(["1.0": "a", "2.0": "a"]), on: old)) == ["1.0.0: id-dropped items", "2.0.0: id-dropped items"])
        #expect(warnings(try plan(try tree(["2.0": "a"]), on: old)) == ["2.0.0: id-dropped items"])
    }

    @Test func `an id that deletions make unresolvable is named once`() throws {
        let old = try current(["1.0": "a", "2.0": "b<a", "3.0": "c<b"])
        let pruned = try plan(try tree(["1.0": "a"]), on: old, ApplyOptions(prunes: true))
        #expect(pruned.apps[0].sets.map(\.revision.kind) == [.deleted, .deleted])
        let named = pruned.apps[0].sets.flatMap { $0.warnings.map(\.message.description) }
        #expect(named.filter { $0.hasPrefix(#""b""#) }.count == 1 && named.filter { $0.hasPrefix(#""c""#) }.count == 1)
        #expect(named.count == 2)
        // A set that is published together with the deletion resolves it.
        let moved = try plan(try tree(["1.0": "a", "2.5": "c<b", "2.0": "b<a"]), on: old, ApplyOptions(prunes: true))
        #expect(warnings(moved).isEmpty && moved.apps[0].sets.map(\.revision.kind) == [.deleted, .published])
    }

    @Test func `an answer has 4 MiB of differences and warnings, and lists the other changes without`() throws {
        // From 11.0 on, each later set forgets all ids of the earlier ones, of which 200 are named.
        let sets = (1...150).map { number in
            let ids = (0..<20).map { #"{"id":"\#(String(repeating: "i", count: 40))-\#(number)-\#($0)","type":"t","title":{"en":"T"}}"# }
            return #""\#(number).0":{"items":[\#(ids.joined(separator: ","))]}"#
        }
        let plan = try plan(#"{"sets":{\#(sets.joined(separator: ","))}}"#, on: try current([:]))
        let json = plan.json(isDryRun: true)
        #expect((3 << 20...5 << 20).contains(json.encoded.count))
        guard case .integer(let leftOut)? = json["leftOut"], case .array(let changes)? = json["apps"]?["com.example.notes"]?["changes"]
        else {
            Issue.record("\(json.text.prefix(1000)) says nothing of what is left out")
            return
        }
        #expect(changes.count == 150 && leftOut == changes.count { $0["difference"] == nil } && (20..<130).contains(leftOut))
        #expect(changes.allSatisfy { $0["version"] != nil && $0["action"] != nil })
        #expect(changes.prefix(150 - Int(leftOut)).allSatisfy { $0["difference"] != nil && $0["warnings"] != nil })
    }

    @Test func `numbers go on, deletions first, then by audience and version`() throws {
        let old = try current(["1.0": "a", "2.0": "b"])
        let made = try plan(try tree(["3.0": "d", "1.0": "c", "1.0@member": "e"]), on: old, ApplyOptions(prunes: true)).apps[0]
        let written = made.sets.map { "\($0.revision.number) \($0.revision.kind) \(SetName($0.revision).inWords)" }
        #expect(
            written == [
                "3 deleted version 2.0.0 and audience default", "4 published version 1.0.0 and audience default",
                "5 published version 3.0.0 and audience default", "6 published version 1.0.0 and audience member",
            ])
        #expect(made.revision == 6 && made.previousRevision == 2 && made.after.lastRevision == 6)
    }

    @Test(
        arguments: [
            (["1.0": "a -c", "2.0": "b c"], [#"apps["com.example.notes"].sets["2.0"].items[1].id"#]),
            (["1.0": "x<c"], [#"apps["com.example.notes"].sets["1.0"].items[0].replaces[0]"#]),
            (["1.0": "x -c"], [#"apps["com.example.notes"].sets["1.0"].retired[0].id"#]),
            (["1.0": "x -c", "2.0": "b d"], []), (["2.0": "d -c"], []), (["1.0@member": "x -c"], []),
        ] as [(KeyValuePairs<String, String>, [String])])
    func `an id that comes back with another meaning is refused where it is written`(
        _ sets: KeyValuePairs<String, String>, _ paths: [String]
    ) throws {
        let failure = failure { try plan(try tree(sets), on: try current(["1.0": "a", "2.0": "b c"])) }
        #expect(failure?.code == (paths.isEmpty ? nil : .idReused))
        #expect((failure?.violations ?? []).map(\.path) == paths)
    }

    @Test(arguments: [(nil, true), (2, true), (1, false), (3, false), (0, false)] as [(Int64?, Bool)])
    func `a base is the app's last revision`(_ base: Int64?, _ holds: Bool) throws {
        let refused = failure { try plan(try tree([:]), on: try current(["1.0": "a", "2.0": "b"]), base: base) }
        #expect(refused?.code == (holds ? nil : .preconditionFailed))
    }

    @Test func `where approvals are needed sets become drafts, and a deletion is refused`() throws {
        let old = try current(["1.0": "a"], approvals: 1)
        #expect(try plan(try tree(["2.0": "b"]), on: old).apps[0].savesDrafts)
        #expect(try plan(try tree(["2.0": "b"]), on: old).apps[0].revision == 1)
        #expect(try !plan(try tree(["1.0": "a"]), on: old).apps[0].savesDrafts)
        let pruning = try tree([:])
        let refused = failure { try plan(pruning, on: old, ApplyOptions(prunes: true)) }
        #expect(refused?.code == .approvalMissing && refused?.violations.count == 1)
        let override = ApplyOptions(prunes: true, override: OverrideReason("It crashes."))
        let overridden = try plan(pruning, on: old, override).apps[0]
        #expect(overridden.override != nil && !overridden.savesDrafts && overridden.sets.count == 1)
        // Approvals are required if the document adds the rule and also if it removes it.
        for (before, after) in [(0, 1), (1, 0)] as [(Int64, Int64)] {
            let app = #""app":{"defaultLanguage":"en","approvals":\#(after)},"#
            #expect(try plan(try tree(["2.0": "b"], app: app), on: try current([:], approvals: before)).apps[0].savesDrafts)
        }
    }

    @Test func `only who may changes an app, also where it changed since the request was checked`() throws {
        let named = try tree([:], app: #""app":{"defaultLanguage":"en","name":"Notes"},"#)
        let old = try current(["1.0": "a"])
        #expect(failure { try plan(named, on: old, ApplyOptions(mayChangeApps: false)) }?.code == .forbidden)
        let same = try tree([:], app: #""app":{"defaultLanguage":"en"},"#)
        #expect(try plan(same, on: old, ApplyOptions(mayChangeApps: false)).isEmpty)
    }
}
