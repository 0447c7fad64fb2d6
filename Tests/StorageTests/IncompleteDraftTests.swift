import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct IncompleteDraftTests {
    private static let untitled: JSON = ["items": [["id": "a", "type": "t", "title": ["en": "A"]], ["id": "b", "title": ["de": "B"]]]]

    private let bench: Workbench
    private let app: AppID
    private let change: DraftChange
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
        change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
    }

    @discardableResult
    private func save(_ document: JSON, by name: String = "ana") throws -> DraftReceipt {
        try store.editDraft(.incomplete(try content(document)), change, of: app, by: author(at: 1000, name))
    }

    private func content(_ document: JSON) throws -> DraftContent {
        try DraftContent(incomplete: document, defaultLanguage: try #require(LanguageTag("en")))
    }

    private func draft() throws -> Draft { try #require(try store.draft(change.version, .default, of: app)) }

    private func violations(_ call: () throws -> Void) -> [String] {
        do {
            try call()
            return []
        } catch { return (error as? Failure)?.violations.map { "\($0.code) \($0.path)" } ?? ["\(error)"] }
    }

    @Test func `what prevents a publish is listed by the save, and again by a publish, a schedule and an approval`() throws {
        let expected = ["required items[1].type", "title-missing items[1].title.en"]
        #expect(try save(Self.untitled).violations.map { "\($0.code) \($0.path)" } == expected)
        #expect(violations { _ = try store.publishDraft(change, PublishOptions(), override: nil, of: app, by: author()) } == expected)
        #expect(
            violations { _ = try store.scheduleDraft(change, at: 4000, until: nil, override: nil, of: app, by: author()) } == expected)
        #expect(violations { _ = try store.approveDraft(change, of: app, by: author(at: 1000, "ben")) } == expected)
        #expect(
            violations {
                _ = try store.review(
                    change, DraftReviewDocument(["state": "requested"]).checked(), of: app, by: author())
            } == expected)
        #expect(try draft().incomplete?.encoded == Self.untitled.encoded)
    }

    @Test func `the document is kept to the byte over restarts and copies, and its valid items are shown`() throws {
        try save(Self.untitled)
        let reopened = try bench.reopened()
        let kept = try #require(try reopened.draft(change.version, .default, of: app))
        #expect(kept.document.encoded == Self.untitled.encoded && kept.set.items.map(\.id.description) == ["a"])
    }

    @Test func `the same document keeps the tag, another one and a complete one do not`() throws {
        let first = try save(Self.untitled).draft.tag
        #expect(try save(Self.untitled).draft.tag == first)
        let second = try save(["items": []]).draft
        #expect(second.tag != first && second.incomplete == nil)
        #expect(try save(Self.untitled).draft.tag != second.tag)
    }

    @Test func `what is no set is not saved`() throws {
        for (document, code) in [
            (["items": [["id": 5]]], "type-mismatch"), (["items": [["colour": "red"]]], "unknown-member"),
            (["items": [["userInfo": ["a": .null]]]], "userinfo-null"), ("menu", "type-mismatch"),
            (["items": [["title": ["en": .string(Text(String(repeating: "long ", count: 4000)))]]]], "title-too-long"),
        ] as [(JSON, String)] {
            #expect(violations { try save(document) }.contains { $0.hasPrefix(code) }, "\(code)")
        }
        #expect(try store.draft(change.version, .default, of: app) == nil)
    }

    @Test func `a patch completes it, and one that does not is refused`() throws {
        try save(Self.untitled)
        #expect(violations { _ = try store.editDraft(.patch(["fallbackURL": "notes://home"]), change, of: app, by: author()) }.count == 2)
        let whole: JSON = ["items": [["id": "a", "type": "t", "title": ["en": "A"]]]]
        #expect(try store.editDraft(.patch(whole), change, of: app, by: author()).draft.incomplete == nil)
    }

    @Test func `an id with another meaning is listed, and prevents the publish`() throws {
        try store.publish(try shortcutSet("new", retired: ["old"]), of: app)
        let later = DraftChange(version: try version("2.0"), audience: .default, writeCondition: .none)
        let document = try shortcutSet("old").json
        let receipt = try store.editDraft(.incomplete(try content(document)), later, of: app, by: author())
        #expect(receipt.violations.map(\.code) == ["id-reused"])
        #expect(failureCode { _ = try store.publishDraft(later, PublishOptions(), override: nil, of: app, by: author()) } == .idReused)
    }

    @Test func `a program that does not know incomplete drafts saves over one`() throws {
        try save(Self.untitled)
        _ = try store.database.write { connection throws(Failure) in
            try connection.execute("UPDATE drafts SET tag = 'draft-older', document = '{\"items\":[]}'", [])
        }
        #expect(try draft().incomplete == nil)
    }

    @Test func `an export has it, and an import checks it again`() throws {
        try save(Self.untitled)
        let exported = try store.exported()
        let other = try Workbench()
        try other.store.importArchive(try ArchiveDocument(exported).checked(), replacing: false, dryRun: false, by: author())
        #expect(try other.store.draft(change.version, .default, of: app)?.document.encoded == Self.untitled.encoded)
        #expect(try other.store.exported() == exported)
    }
}
