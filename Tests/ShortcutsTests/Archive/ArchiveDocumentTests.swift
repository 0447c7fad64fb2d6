import QuickActions
import Testing

@testable import Shortcuts

@Suite struct ArchiveDocumentTests {
    private static let item = #"{"id":"a","type":"t","title":{"en":"A"}}"#

    private func archive(
        last: Int = 2, language: String = "en", sets: String = #"{"version":"1.0.0","audience":"default","revision":2}"#,
        revisions: String? = nil, drafts: String = "", schedule: String = "", releases: String = "", deleted: String = ""
    ) -> String {
        let revisions = revisions ?? "\(revision(1, "1.0.0", "[]")),\(revision(2, "1.0.0", "[\(Self.item)]"))"
        return """
            {"format":"longpress-export","schema":1,"apps":[{"app":"com.example","name":null,"defaultLanguage":"\(language)",\
            "fallbackURL":null,"lastRevision":\(last),"releases":[\(releases)],"sets":[\(sets)],"drafts":[\(drafts)],"schedule":[\(schedule)],\
            "revisions":[\(revisions)]}],"deletedApps":[\(deleted)]}
            """
    }

    private func revision(_ number: Int, _ version: String, _ items: String, retired: String = "") -> String {
        #"{"revision":\#(number),"kind":"published","version":"\#(version)","audience":"default","#
            + #""publishedAt":"2026-01-31T09:00:00.000Z","by":"ana","set":{"items":\#(items),"retired":[\#(retired)]}}"#
    }

    private func found(_ text: String) -> [String]? {
        failure { try ArchiveDocument(Array(text.utf8)).checked() }?.found
    }

    /// The document as an export writes it.
    private func written(_ document: [UInt8]) throws -> [UInt8] {
        let archive = try ArchiveDocument(document).checked()
        var bytes: [UInt8] = []
        try Archive.Writer.write(to: { bytes += $0 }) { writer throws(Failure) in
            for app in archive.apps { try writer.add(app) }
            try writer.beginDeletedApps()
            for history in archive.deletedApps { try writer.add(history) }
        }
        return bytes
    }

    @Test func `an empty export is pretty, too`() throws {
        let text = "{\n  \"format\": \"longpress-export\",\n  \"schema\": 4,\n  \"apps\": [],\n  \"deletedApps\": []\n}\n"
        #expect(try written(Array(text.utf8)) == Array(text.utf8))
        #expect(try JSON(document: Array(text.utf8)).prettyPrinted == Array(text.utf8))
    }

    @Test func `what is wrong with the document itself comes before what is wrong with its apps`() {
        let text = #"{"apps":[{"app":"a"},5],"deletedApps":[{}],"format":"other","schema":9}"#
        #expect(found(text)?.prefix(2) == ["format: format-unknown", "schema: schema-unknown"])
        #expect(found(text)?.contains("apps[1]: type-mismatch") == true && found(text)?.contains("deletedApps[0].app: required") == true)
        #expect(
            found(#"{"format":"longpress-export","schema":2,"apps":{},"deletedApps":5}"#) == [
                "apps: type-mismatch", "deletedApps: type-mismatch",
            ])
    }

    @Test func `round-trips to the same bytes`() throws {
        let draft =
            #"{"version":"2.0","audience":"guest","savedAt":"2026-01-31T09:00:00.000Z","savedBy":"ana","at":"2026-02-01T09:00:00.500Z","#
            + #""scheduledBy":"ben","set":{"items":[\#(Self.item)]}}"#
        let deleted = #"{"app":"com.gone","lastRevision":9,"revisions":[]}"#
        let text = archive(drafts: draft, releases: #"{"version":"2.1","build":"7"},{"version":"2.1"}"#, deleted: deleted)
        let once = try written(Array(text.utf8))
        let again = try written(once)
        #expect(once == again)
        let written = String(decoding: once, as: UTF8.self)
        #expect(written.hasSuffix("}\n") && written.contains("\n          \"version\": \"2.1.0\",\n          \"build\": null,"))
        #expect(written.contains("\"at\": \"2026-02-01T09:00:00.500Z\"") && written.contains("\"lastRevision\": 9"))
        #expect(written.contains("\"id\": \"draft-guest-2.0.0\"") && written.contains("\"scheduledBy\": \"ben\""))
    }

    @Test func `only a published revision needs titles in the current default language`() throws {
        let old = #"{"id":"z","type":"t","title":{"ko":"Z"}}"#
        let fine = "\(revision(1, "1.0.0", "[\(old)]")),\(revision(2, "1.0.0", "[\(Self.item)]"))"
        #expect(found(archive(revisions: fine)) == nil)
        let current = "\(revision(1, "1.0.0", "[]")),\(revision(2, "1.0.0", "[\(old)]"))"
        #expect(found(archive(revisions: current)) == ["apps[0].sets[0].set.items[0].title.en: title-missing"])
    }

    @Test(arguments: [
        ("3", "apps[0].sets[0].revision: revision-content"), ("1", "apps[0].sets[0].revision: revision-content"),
        ("0", "apps[0].sets[0].revision: integer-out-of-range"), (#""2""#, "apps[0].sets[0].revision: type-mismatch"),
    ])
    func `a set must refer to the last revision of its version and audience`(number: String, expected: String) {
        #expect(found(archive(sets: #"{"version":"1.0.0","audience":"default","revision":\#(number)}"#)) == [expected])
    }

    @Test func `numbers only grow`() {
        let turned = "\(revision(2, "1.0.0", "[]")),\(revision(1, "2.0.0", "[]"))"
        let sets = #"{"version":"1.0.0","audience":"default","revision":2}"#
        #expect(found(archive(sets: sets, revisions: turned)) == ["apps[0].revisions: revision-order"])
        #expect(found(archive(last: 1)) == ["apps[0].lastRevision: revision-order"])
    }

    @Test func `refuses reused ids`() {
        let reused = "\(revision(1, "1.0.0", "[]", retired: #"{"id":"a"}"#)),\(revision(2, "2.0.0", "[\(Self.item)]"))"
        let sets =
            #"{"version":"1.0.0","audience":"default","revision":1},{"version":"2.0.0","audience":"default","revision":2}"#
        #expect(found(archive(sets: sets, revisions: reused)) == ["apps[0].sets: id-reused"])
    }

    @Test func `refuses duplicates`() {
        let twice = #"{"version":"1.0","audience":"default","revision":2}"#
        #expect(found(archive(sets: "\(twice),\(twice)")) == ["apps[0].sets: duplicate-id"])
        #expect(found(archive(releases: #"{"version":"1.0"},{"version":"1"}"#)) == ["apps[0].releases: duplicate-id"])
        #expect(found(archive(deleted: #"{"app":"com.example","lastRevision":1}"#)) == ["apps: duplicate-id"])
    }

    @Test func `lists all violations`() {
        let broken = #"{"version":"x","audience":"A","savedAt":"now","savedBy":"","set":{"items":[{"id":"a"}]}}"#
        #expect(
            found(archive(language: "!", drafts: broken, releases: #"{"build":"1"}"#)) == [
                "apps[0].defaultLanguage: language-invalid", "apps[0].releases[0].version: required",
                "apps[0].drafts[0].version: invalid-version", "apps[0].drafts[0].audience: audience-invalid",
                "apps[0].drafts[0].savedAt: date-invalid", "apps[0].drafts[0].savedBy: text-invalid",
                "apps[0].drafts[0].set.items[0].type: required", "apps[0].drafts[0].set.items[0].title: required",
            ])
        #expect(found("{}") == ["format: required", "schema: required", "apps: required"])
        #expect(found(#"{"format":"x","schema":5,"apps":[]}"#) == ["format: format-unknown", "schema: schema-unknown"])
    }

    @Test(arguments: [
        (#"{"kind":"restore","revision":3}"#, "revision: revision-content"), (#"{"kind":"restore"}"#, "revision: required"),
        (#"{"kind":"later"}"#, "kind: kind-unknown"), (#"{"kind":"delete","revision":2}"#, "revision: unknown-member"),
        (#"{"kind":"delete","id":"a b"}"#, "id: id-invalid"),
        (#"{"kind":"delete","expectedRevision":0}"#, "expectedRevision: integer-out-of-range"),
    ])
    func `refuses entries of the schedule that could not fire`(_ members: String, _ expected: String) throws {
        let entry = try read(
            #"{"id":"e","at":"2026-02-01T09:00:00Z","version":"1.0","audience":"default","scheduledAt":"2026-01-31T09:00:00Z","scheduledBy":"b"}"#
        ).merging(try read(members))
        #expect(found(archive(schedule: String(decoding: entry.encoded, as: UTF8.self))) == ["apps[0].schedule[0].\(expected)"])
    }

    @Test func `a way back follows a publish of the same set that is there and earlier`() {
        func entry(_ id: String, _ at: String, _ rest: String) -> String {
            #"{"id":"\#(id)","at":"2026-02-0\#(at)T09:00:00Z","version":"1.0","audience":"default","scheduledAt":"2026-01-31T09:00:00Z","#
                + #""scheduledBy":"b",\#(rest)}"#
        }
        let publish = entry("p", "2", #""kind":"publish","savedAt":"2026-01-31T09:00:00Z","savedBy":"b","set":{"items":[]}"#)
        let automaticRevert = { (at: String) in entry("w", at, #""kind":"restore","follows":"p""#) }
        #expect(found(archive(schedule: "\(publish),\(automaticRevert("3"))")) == nil)
        #expect(found(archive(schedule: "\(publish),\(automaticRevert("2"))")) == ["apps[0].schedule: schedule-entry"])
        #expect(found(archive(schedule: automaticRevert("3"))) == ["apps[0].schedule: schedule-entry"])
        #expect(found(archive(schedule: "\(publish),\(publish)")) == ["apps[0].schedule: duplicate-id"])
    }
}
