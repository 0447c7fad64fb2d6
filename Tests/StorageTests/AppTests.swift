import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct AppTests {
    @Test func `putting an app again writes nothing, changing it makes an entry and no event`() throws {
        let store = try Workbench().store
        try store.makeApp()
        try store.makeApp()
        #expect((try store.count("audit"), try store.count("events")) == (1, 1))
        try store.makeApp(language: "ko")
        #expect(try store.audit(PageRequest(), within: .all).items.map(\.action) == [.appUpdated, .appCreated])
        #expect(try store.count("events") == 1)
        #expect(try store.app(try appID())?.defaultLanguage.description == "ko")
    }

    @Test func `a new default language is judged by what stands`() throws {
        let store = try Workbench().store
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), of: app)
        let korean = App(id: app, name: nil, defaultLanguage: try #require(LanguageTag("ko")), fallbackURL: nil)
        let code = failureCode {
            _ = try store.putApp(app, by: author()) { snapshot throws(Failure) in
                try snapshot?.requireTitles(in: korean.defaultLanguage)
                return korean
            }
        }
        #expect(code == .conflict)
        #expect(try store.app(app)?.defaultLanguage.description == "en")
    }

    @Test func `deleting an app takes its releases and sets, once`() throws {
        let store = try Workbench().store
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), of: app)
        _ = try store.putRelease(try release("1.0"), keepsAssets: false, of: app, by: author())
        try store.deleteApp(app, by: author())
        #expect((try store.count("releases"), try store.count("sets"), try store.count("revisions")) == (0, 0, 1))
        #expect(failureCode { try store.deleteApp(app, by: author()) } == .unknownApp)
        #expect(try store.count("events", where: "type = 'app.deleted'") == 1)
    }

    @Test func `releases are listed and found by version, then build`() throws {
        let store = try Workbench().store
        let app = try store.makeApp()
        let order = ["1.0.0", "2.0.0", "2.0.0+9", "2.0.0+10", "2.0.0+10.0.1", "2.10.0+1", "20240101.0.0"]
        for text in order.reversed() {
            _ = try store.putRelease(try release(text), keepsAssets: false, of: app, by: author())
        }
        #expect(try store.releases(of: app, PageRequest()).items.map(\.id.description) == order)
        #expect(try store.release(try build("2"), of: app)?.id.description == "2.0.0+10.0.1")
        #expect(try store.release(try build("2.0+9.0"), of: app)?.id.description == "2.0.0+9")
        #expect(try store.release(try build("2.0+8"), of: app) == nil)
        try store.deleteRelease(try build("2.0"), of: app, by: author())
        #expect(try store.release(try build("2"), of: app)?.id.description == "2.0.0+10")
        #expect(failureCode { try store.deleteRelease(try build("7"), of: app, by: author()) } == .unknownResource)
        let entry = try #require(try store.audit(PageRequest(), within: .all).items.first)
        #expect((entry.action, entry.version?.description) == (.releaseDeleted, "2.0.0+10.0.1"))
    }

    @Test func `a release says which sets it shows differently, and warns where that needs approvals`() throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a", "b", "c"), "1.0", of: app)
        try store.publish(try shortcutSet("a"), "2.0", of: app)
        func put(_ text: String, statics: Int) throws -> ReleaseReceipt {
            try store.putRelease(try release(text, statics: statics), keepsAssets: false, of: app, by: author())
        }
        let shown = #""shownDifferently":[{"version":"1.0.0","audience":"default"}]"#
        func told(_ effect: ReleaseEffect) -> String { String(decoding: effect.json.encoded, as: UTF8.self) }
        #expect(try told(put("1.5", statics: 1).effect) == #"{"shownDifferently":[],"warnings":[]}"#)
        #expect(try told(put("1.5", statics: 2).effect) == "{\(shown),\"warnings\":[]}")
        #expect(try store.count("events", where: "type = 'release.imported'") == 2)
        #expect(try store.count("events", where: "type = 'release.imported' AND body LIKE '%\(shown)%'") == 1)
        _ = try store.putApp(app, by: author()) { snapshot throws(Failure) in
            guard let previous = snapshot?.app else { throw .unknownApp(app) }
            return App(id: app, name: nil, defaultLanguage: previous.defaultLanguage, fallbackURL: nil, approvals: 1)
        }
        let receipt = try put("1.5", statics: 3)
        #expect(receipt.effect.warnings.map(\.code) == ["shown-unapproved"] && told(receipt.effect).contains(shown))
        let deleted = try store.deleteRelease(try build("1.5"), of: app, by: author())
        #expect(deleted.warnings.map(\.code) == ["shown-unapproved"])
        #expect(try store.count("events", where: "type = 'release.deleted' AND body LIKE '%\(shown)%'") == 1)
    }

    @Test func `importing a plist keeps the assets that were known, and the same again writes nothing`() throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        let first = try store.putRelease(try release("1+2", assets: ["A"]), keepsAssets: false, of: app, by: author())
        #expect(first.isNew)
        let second = try store.putRelease(try release("1+2", statics: 1), keepsAssets: true, of: app, by: author())
        #expect((second.isNew, second.release.assets?.images) == (false, ["A"]))
        let written = (try store.count("audit"), try store.count("events"))
        _ = try store.putRelease(try release("1+2", statics: 1), keepsAssets: true, of: app, by: author())
        #expect(written == (try store.count("audit"), try store.count("events")))
        #expect(try store.count("events", where: "type = 'release.imported'") == 2)
        #expect(try store.snapshot(of: app)?.releases == [second.release])
        let code = failureCode {
            _ = try store.putRelease(try release("1"), keepsAssets: true, of: try appID("no.such"), by: author())
        }
        #expect(code == .unknownApp)
    }
}
