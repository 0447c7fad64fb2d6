import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// The messages of revisions.
@Suite(.eachEngine, .namingEngine) struct MessageTests {
    private let bench: Workbench
    private let app: AppID
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
    }

    private func message(_ text: String) throws -> RevisionMessage { try #require(RevisionMessage(text)) }

    private func draft(_ id: String, _ text: String) throws -> DraftChange {
        var change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        _ = try store.editDraft(.replacement(try shortcutSet(id)), change, of: app, by: author())
        change.message = try message(text)
        return change
    }

    private func publish(_ id: String?, _ text: String, until: Timestamp? = nil) throws {
        let change = SetChange(
            version: try version("1.0"), audience: .default, action: try id.map { .publish(try shortcutSet($0)) } ?? .delete,
            writeCondition: .none, consent: .none(override: nil), until: until, message: try message(text))
        _ = try store.publish(change, of: app, by: author())
    }

    /// Oldest first; "-" without a message.
    private func messages(in other: Store? = nil) throws -> [String] {
        try (other ?? store).revisions(of: app, PageRequest(limit: 200)).items.reversed().map { $0.message?.description ?? "-" }
    }

    private func fire(at time: Timestamp) throws { while try store.fireNextDue(at: time) != nil {} }

    /// The members `message` of the events of a type, oldest first.
    private func announced(_ type: String) throws -> [String?] {
        try store.database.read { connection throws(Failure) in
            try connection.rows("SELECT body FROM events WHERE type = ? ORDER BY occurred_at, id", [.text(type)], as: String.self)
        }.map { body in
            guard case .string(let text)? = try JSON(document: Array(body.utf8))["data"]?["message"] else { return nil }
            return text.string
        }
    }

    @Test func `every way to publish keeps the message, in the revision, the event and the audit`() throws {
        try publish("a", "First")
        try publish("a", "Nothing new")
        _ = try store.publishDraft(try draft("b", "From a draft"), PublishOptions(), override: nil, of: app, by: author())
        try publish(nil, "Not needed any more")
        try store.publish(try shortcutSet("c"), of: app)
        #expect(try messages() == ["First", "From a draft", "Not needed any more", "-"])
        #expect(try store.revision(2, of: app)?.message?.description == "From a draft")
        let audited = try store.audit(PageRequest(), matching: AuditFilter(), within: .all).items.reversed()
        #expect(
            audited.filter { $0.revision != nil }.map { $0.detail.message?.description }
                == ["First", "From a draft", "Not needed any more", nil])
        #expect(Set(try announced("shortcuts.published")) == ["First", "From a draft", nil])
        #expect(try announced("shortcuts.deleted") == ["Not needed any more"])
    }

    @Test func `a scheduled publish keeps its message, and the automatic revert has none`() throws {
        try publish("a", "First")
        let entry = try store.scheduleDraft(try draft("b", "For the fair"), at: 4000, until: 5000, override: nil, of: app, by: author())
        #expect(entry.message?.description == "For the fair")
        #expect(try store.schedule(of: app, PageRequest()).items.map { $0.message?.description } == ["For the fair", nil])
        #expect(Set(try announced("shortcuts.scheduled")) == ["For the fair", nil])
        try fire(at: 5000)
        #expect(try messages() == ["First", "For the fair", "-"])
        try publish("c", "A campaign", until: 7000)
        try fire(at: 7000)
        #expect(try messages().suffix(2) == ["A campaign", "-"])
    }

    @Test func `a scheduled restore keeps its message`() throws {
        try publish("a", "First")
        try publish("b", "Second")
        _ = try store.scheduleRestore(of: 1, at: 4000, expecting: .none, message: try message("Back to one"), of: app, by: author())
        let logged = try store.audit(PageRequest(limit: 1), matching: AuditFilter(), within: .all).items.first
        #expect(logged?.action == .restoreScheduled && logged?.detail.message?.description == "Back to one")
        try fire(at: 4000)
        #expect(try messages() == ["First", "Second", "Back to one"])
    }

    @Test func `an apply keeps its message`() throws {
        let document = try JSON(
            document: Array(#"{"apps":{"\#(app)":{"sets":{"1.0":\#(json("a")),"2.0":\#(json("b"))}}},"message":"Release 2"}"#.utf8))
        let request = try ApplyDocument(document).checked(among: [app: try #require(try store.app(app))], ApplyOptions())
        _ = try store.apply(request, dryRun: false, by: author())
        #expect(try messages() == ["Release 2", "Release 2"])
        let logged = try store.audit(PageRequest(limit: 1), matching: AuditFilter(), within: .all).items.first
        #expect(logged?.action == .storeApplied && logged?.detail.message?.description == "Release 2")
        let wrong = try JSON(document: Array(#"{"apps":{},"message":"a\u0007"}"#.utf8))
        #expect(failureCode { _ = try ApplyDocument(wrong).checked(among: [:], ApplyOptions()) } == .invalidDocument)
    }

    private func json(_ id: String) -> String { #"{"items":[{"id":"\#(id)","type":"t","title":{"en":"T"}}]}"# }

    @Test func `exports and copies contain messages, and a replaced app keeps them`() throws {
        try publish("a", "First")
        _ = try store.scheduleDraft(try draft("b", "For the fair"), at: 4000, until: nil, override: nil, of: app, by: author())
        _ = try store.scheduleRestore(of: 1, at: 5000, expecting: .none, message: try message("Back to one"), of: app, by: author())
        let archive = try ArchiveDocument(try store.exported()).checked()
        let (other, copy) = (try Workbench(), try Workbench())
        try other.store.importArchive(archive, replacing: false, dryRun: false, by: author())
        try other.store.importArchive(archive, replacing: true, dryRun: false, by: author())
        _ = try StoreCopy.copy(from: store.database, to: copy.store.database, targetName: "copy", at: 100)
        for target in [other.store, copy.store] {
            #expect(try messages(in: target) == ["First"])
            while try target.fireNextDue(at: 5000) != nil {}
            #expect(try messages(in: target) == ["First", "For the fair", "Back to one"])
        }
        // The app of the store differs, so the import publishes its set again.
        try other.store.publish(try shortcutSet("z"), of: app)
        try other.store.importArchive(archive, replacing: true, dryRun: false, by: author())
        #expect(try messages(in: other.store) == ["First", "First"])
    }
}
