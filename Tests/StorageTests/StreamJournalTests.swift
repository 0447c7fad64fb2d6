import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// The journal entries of each change.
@Suite(.eachEngine, .namingEngine) struct StreamJournalTests {
    private let store: Store
    private let app: AppID

    init() throws {
        store = try Workbench().store
        app = try store.makeApp()
    }

    /// The changes that `body` causes.
    private func told(_ body: () throws -> Void) throws -> [StreamEntry.Change] {
        let before = try store.streamPosition()
        try body()
        let entries = try #require(try store.streamEntries(after: before, limit: 1000))
        #expect(entries.map(\.position.number) == (0..<entries.count).map { before.number + 1 + Int64($0) })
        #expect(Set(entries.map(\.position.tag)).count == entries.count)
        #expect(try store.streamPosition() == entries.last?.position ?? before)
        return entries.map(\.change)
    }

    private func set(_ revision: Int64, _ from: String, _ until: String?, of audience: Audience = .default) throws -> StreamEntry.Change {
        .set(revision: revision, audience, from: try version(from), until: try until.map(version))
    }

    @Test func `a set is told with its stretch, whichever is published first`() throws {
        let changes = try told {
            try store.publish(try shortcutSet("a"), "3.0", of: app)
            try store.publish(try shortcutSet("b"), "1.0", of: app)
            try store.publish(try shortcutSet("c"), "2.0", of: app)
            try store.publish(nil, "2.0", of: app)
        }
        #expect(changes == [try set(1, "3.0", nil), try set(2, "1.0", "3.0"), try set(3, "2.0", "3.0"), try set(4, "2.0", "3.0")])
    }

    @Test func `nothing is told of what changes nothing, or is refused`() throws {
        try store.publish(try shortcutSet("a"), of: app)
        let changes = try told {
            try store.publish(try shortcutSet("a"), of: app)
            try store.makeApp()
            #expect(failureCode { try store.publish(nil, "9.0", of: app) } == .unknownResource)
            _ = try store.createEndpoint(endpoint("e"), by: author())
        }
        #expect(changes.isEmpty)
    }

    @Test func `the first set of an audience, and the end of its last, concern all of its versions`() throws {
        let member = try #require(Audience("member"))
        try store.publish(try shortcutSet("a"), of: app)
        let changes = try told {
            try store.publish(try shortcutSet("b"), "2.0", of: app, audience: member)
            try store.publish(try shortcutSet("c"), "3.0", of: app, audience: member)
            try store.publish(nil, "3.0", of: app, audience: member)
            try store.publish(nil, "2.0", of: app, audience: member)
        }
        #expect(
            changes == [
                try set(2, "2.0", nil, of: member), .app(revision: 2), try set(3, "3.0", nil, of: member),
                try set(4, "3.0", nil, of: member),
                try set(5, "2.0", nil, of: member), .app(revision: 5),
            ])
    }

    @Test func `the app, its releases and its end are told without a stretch`() throws {
        let changes = try told {
            _ = try store.putRelease(try release("1.0+7"), keepsAssets: false, of: app, by: author())
            try store.deleteRelease(try build("1.0+7"), of: app, by: author())
            try store.makeApp(language: "de")
            try store.deleteApp(app, by: author())
        }
        #expect(changes == [.app(revision: 0), .app(revision: 0), .app(revision: 0), .deletion])
    }

    @Test func `an import tells once of each app, and of each set`() throws {
        try store.publish(try shortcutSet("a"), "1.0", of: app)
        try store.publish(try shortcutSet("b"), "2.0", of: app)
        _ = try store.putRelease(try release("1.0+7"), keepsAssets: false, of: app, by: author())
        let archive = try ArchiveDocument(try store.exported()).checked()
        try store.publish(try shortcutSet("c"), "1.0", of: app)
        let replaced = try told { try store.importArchive(archive, replacing: true, dryRun: false, by: author()) }
        #expect(replaced == [.app(revision: 4), try set(4, "1.0", "2.0")])
        let other = try Workbench().store
        try other.importArchive(archive, replacing: false, dryRun: false, by: author())
        let entries = try other.streamEntries(after: StreamPosition(number: 0, tag: try other.firstTag()), limit: 10)
        #expect(entries?.map(\.change) == [.app(revision: 2), try set(1, "1.0", "2.0"), try set(2, "2.0", nil)])
    }

    @Test func `a stream begins with what its apps have missed`() throws {
        let other = try store.makeApp("com.example.other")
        let start = try store.streamPosition()
        for number in 1...5 {
            try store.publish(try shortcutSet("i\(number)"), of: app)
            try store.publish(try shortcutSet("i\(number)"), "2.0", of: app)
            try store.publish(try shortcutSet("i\(number)"), of: other)
        }
        let last = try store.streamPosition()
        for (limit, isTold) in [(11, true), (10, true), (9, false)] {
            let beginning = try store.streamBeginning(of: [app], after: start, limit: limit)
            #expect(beginning.missed?.map(\.change) == (isTold ? [try set(9, "1.0", "2.0"), try set(10, "2.0", nil)] : nil))
            #expect(beginning.last == last && beginning.revisions == [app: 10])
        }
        let both = try store.streamBeginning(of: [app, other, try appID("com.example.none")], after: nil, limit: 10)
        #expect(both.missed == nil && both.revisions == [app: 10, other: 5])
        #expect(try store.streamBeginning(of: [app], after: last, limit: 10).missed == [])
    }

    @Test func `an entry of another life is not known`() throws {
        let last = try store.streamPosition()
        for position in [
            StreamPosition(number: last.number, tag: last.tag + "x"), StreamPosition(number: last.number + 1, tag: last.tag),
            StreamPosition(number: .max, tag: last.tag),
        ] {
            #expect(try store.streamEntries(after: position, limit: 10) == nil)
            #expect(try store.streamBeginning(of: [app], after: position, limit: 10).missed == nil)
        }
    }

    @Test(arguments: [(Duration.seconds(100_000), 4, 4), (.seconds(100_000), 100, 8), (.seconds(-1), 100, 1), (.seconds(-1), 0, 1)])
    func `old entries go, the newest stays`(_ age: Duration, _ kept: Int, _ left: Int) throws {
        for number in 1...6 { try store.publish(try shortcutSet("i\(number)"), of: app) }
        let last = try store.streamPosition()
        var retention = Retention()
        (retention.stream, retention.streamEntries) = (age, kept)
        // The first row has no time; it is deleted with the others.
        try store.execute("UPDATE stream_journal SET at = \(StoppedClock().now().milliseconds)")
        while try store.prune(at: StoppedClock().now(), keeping: retention, limit: 3).hasMore {}
        #expect(try store.count("stream_journal") == left && store.streamPosition() == last)
    }
}

extension Store {
    fileprivate func firstTag() throws -> String {
        try database.read { connection throws(Failure) in
            try connection.first("SELECT tag FROM stream_journal WHERE number = 0", [], as: String.self) ?? ""
        }
    }
}
