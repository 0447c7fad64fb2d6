import HTTP
import QuickActions
import Shortcuts
import Testing

@testable import API

@Suite struct BundleRouteTests {
    @Test func `a bundle is answered as the command prints it, and not again to who has it`() throws {
        let bench = try AdminBench()
        let build = try #require(AppBuild("1.2+7"))
        let answer = try bench.fetch("/apps/{app}/versions/1.2/bundle?build=07&audience=default")
        #expect(answer.status == .ok && answer.fields.first("Content-Type") == "application/json")
        #expect(answer.fields.first("Content-Location") == "/v1/apps/\(AdminBench.app)/versions/1.2.0/bundle?build=7")
        #expect(answer.body == OfflineBundle(for: build, .default, in: try bench.snapshot())?.json.encodedLine)
        let etag = try #require(answer.fields.first("ETag"))
        let again = try bench.fetch("/apps/{app}/versions/1.2/bundle?build=7", ["If-None-Match": etag])
        #expect(again.status == .notModified && again.body.isEmpty)
    }

    @Test(arguments: [
        ("/apps/{app}/versions/0.9/bundle", "no-shortcut-set"), ("/apps/none/versions/1.0/bundle", "unknown-app"),
        ("/apps/{app}/versions/1.x/bundle", "invalid-version"), ("/apps/{app}/versions/1.0/bundle?build=x", "invalid-version"),
        ("/apps/{app}/versions/1.0/bundle?audience=A", "invalid-parameter"),
        ("/apps/{app}/versions/1.0/bundle?build=1&build=2", "invalid-parameter"),
    ])
    func `says why there is none`(_ path: String, _ problem: String) throws {
        #expect(try AdminBench().fetch(path).problem == problem)
    }

    @Test func `every audience is one document, which is cached like the others`() throws {
        let bench = try AdminBench()
        let menu = #"{"items": [{"id": "inbox", "type": "t", "title": {"en": "Inbox"}}]}"#
        #expect(try bench.ask(.put, "/apps/{app}/sets/1.5?audience=member", menu, by: "lp_first").status == .created)
        for version in ["1.2", "1.4", "1.5", "1.7", "2.0", "1.2"] {
            let answer = try bench.fetch("/apps/{app}/versions/\(version)/bundle?audience=*")
            let build = try #require(AppBuild(version))
            #expect(answer.body == AudienceBundles(for: build, in: try bench.snapshot())?.json.encodedLine, "\(version)")
            let path = "/v1/apps/\(AdminBench.app)/versions/\(build.version)/bundle?audience=*"
            #expect(answer.fields.first("Content-Location") == path)
            let etag = try #require(answer.fields.first("ETag"))
            #expect(try bench.fetch("/apps/{app}/versions/\(version)/bundle?audience=%2A", ["If-None-Match": etag]).status == .notModified)
        }
        #expect(try bench.fetch("/apps/{app}/versions/0.9/bundle?audience=*").problem == "no-shortcut-set")
        #expect(try bench.fetch("/apps/{app}/versions/1.2/shortcuts?audience=*").problem == "invalid-parameter")
        #expect(try bench.fetch("/apps/{app}/versions/1.2/continuity?audience=*").problem == "invalid-parameter")
    }

    @Test func `is in JSON only`() throws {
        #expect(try AdminBench().fetch("/apps/{app}/versions/1.0/bundle", ["Accept": "application/x-plist"]).problem == "not-acceptable")
    }
}
