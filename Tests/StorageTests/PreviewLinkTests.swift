import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct PreviewLinkTests {
    private let app: AppID
    private let other: AppID
    private let bench: Workbench
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
        other = try bench.store.makeApp("com.example.mail")
    }

    private func link(
        _ id: PreviewLinkID, version: String? = nil, audience: Audience? = nil, by creator: Session.Owner = .configured([1]),
        until end: Timestamp = 5000
    ) -> PreviewLink {
        PreviewLink(
            id: id, app: app, version: version.flatMap { AppVersion($0) }, audience: audience, hash: sha256(Array(id.description.utf8)),
            creator: creator,
            createdBy: "ana", createdAt: 1000, expiresAt: end)
    }

    private func token(_ id: TokenID) -> Token {
        Token(id: id, name: "token \(id)", role: .editor, scope: .all, createdAt: 7, hash: sha256(Array("lp_\(id)".utf8)))
    }

    private func ids() throws -> [PreviewLinkID] { try store.previewLinks(of: app, at: 1000, PageRequest()).items.map(\.id) }

    @Test func `a link is found by its id and app until it is deleted, and the audit has both without the hash`() throws {
        let made = link("a", version: "2.0", audience: Audience("member"))
        try store.createPreviewLink(made, by: author())
        for store in [store, try bench.reopened()] {
            let found = try #require(try store.previewLink("a", of: app))
            #expect(found.link.json.encoded == made.json.encoded && found.link.hash == made.hash && found.token == nil)
            #expect(found.link.creator == made.creator)
        }
        #expect(try store.previewLink("a", of: other) == nil)
        #expect(try store.previewLink("b", of: app) == nil)
        try store.deletePreviewLink("a", of: app, by: author())
        #expect(failureCode { try store.deletePreviewLink("a", of: app, by: author()) } == .unknownResource)
        #expect(try store.previewLink("a", of: app) == nil)
        let entries = try store.audit(PageRequest(), within: .all).items.prefix(2)
        #expect(entries.map(\.action) == [.previewDeleted, .previewCreated])
        for entry in entries {
            #expect((entry.app, entry.version?.description, entry.audience?.description) == (app, "2.0.0", "member"))
            #expect(entry.target == AuditTarget(kind: .preview, id: "a", name: nil))
        }
    }

    @Test func `a link has its creator's token, and ends when it is revoked`() throws {
        for id in ["t", "u"] as [TokenID] { try store.createToken(token(id), by: author()) }
        for (id, owner) in [("a", "t"), ("b", "u")] as [(PreviewLinkID, TokenID)] {
            try store.createPreviewLink(link(id, by: .token(owner)), by: author())
        }
        #expect(try store.previewLink("a", of: app)?.token?.id == "t")
        try store.revokeToken("t", by: author())
        #expect(try store.previewLink("a", of: app) == nil)
        #expect(try ids() == ["b"])
        #expect(failureCode { try store.createPreviewLink(link("c", by: .token("t")), by: author()) } == .unauthenticated)
    }

    @Test func `a person's link has the person`() throws {
        let person = try #require(Person(address: "ana@example.com"))
        try store.createPreviewLink(link("a", by: .person(person)), by: author())
        #expect(try store.previewLink("a", of: app)?.link.creator == .person(person))
    }

    @Test func `an app has at most twenty links, and expired ones do not count`() throws {
        try store.createPreviewLink(link("old", until: 1000), by: author(at: 999))
        for number in 1...20 { try store.createPreviewLink(link("l\(number)"), by: author(at: 1000)) }
        #expect(failureCode { try store.createPreviewLink(link("more"), by: author(at: 1000)) } == .quotaExceeded)
        try store.deletePreviewLink("l3", of: app, by: author(at: 1000))
        try store.createPreviewLink(link("more"), by: author(at: 1000))
        #expect(try ids().count == 20)
        #expect(try store.count("preview_links") == 21)
    }

    @Test func `expired links are neither listed nor deleted by hand, and pruned`() throws {
        try store.createPreviewLink(link("a", until: 2000), by: author())
        try store.createPreviewLink(link("b", until: 3000), by: author())
        #expect(try store.previewLinks(of: app, at: 2000, PageRequest()).items.map(\.id) == ["b"])
        #expect(failureCode { try store.deletePreviewLink("a", of: app, by: author(at: 2000)) } == .unknownResource)
        #expect(try store.prune(at: 2000).removed >= 1)
        #expect(try store.previewLink("a", of: app) == nil && store.previewLink("b", of: app) != nil)
    }

    @Test func `links are removed with their app, and by a restore`() throws {
        try store.createPreviewLink(link("a"), by: author())
        try store.deleteApp(app, by: author())
        #expect(try store.count("preview_links") == 0)
        #expect(failureCode { try store.createPreviewLink(link("a"), by: author()) } == .unknownApp)
        try store.makeApp()
        try store.createPreviewLink(link("b"), by: author())
        try store.write { transaction throws(Failure) in
            try Store.prepareRestored(transaction.connection, dropsTokens: false, by: author())
        }
        #expect(try store.count("preview_links") == 0)
    }
}
