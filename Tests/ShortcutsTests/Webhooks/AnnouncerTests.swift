import QuickActions
import Testing

@testable import Shortcuts

@Suite struct AnnouncerTests {
    private func body(_ event: Event) throws -> JSON { try JSON(document: event.body) }

    private func event(of publication: Publication) throws -> Event {
        let menu = announcer.render(try #require(publication.menu))
        return announcer.published(publication.revision, menu, replacing: publication.previous, by: author)
    }

    @Test func `a publish lists the changes`() throws {
        let timelines = [try timeline(["2.0": "a b c @notes://x"], firstRevision: 4)]
        let result = try publication(try plan("!a n<c b", at: "2.0", in: timelines))
        let event = try event(of: result)
        let body = try body(event)
        #expect(event.id == "msg_abc" && event.type == .published && event.app?.description == "com.example.notes")
        let data = try #require(body["data"])
        let after = try snapshot([try timeline(["2.0": "!a n<c b"], firstRevision: 7)])
        let served = try #require(ShortcutsAnswer(for: Client(build: try build("2.0")), in: after)).json.encodedLine
        let etag = JSON.string("\"\(sha256Hex(served, first: 32))\"").text
        #expect(
            data.text
                == #"{"app":"com.example.notes","audience":"default","version":"2.0.0","revision":7,"previousRevision":4,"added":["n"],"changed":["a"],"removed":["c"],"etag":\#(etag),"url":"https://lp.example/v1/apps/com.example.notes/versions/2.0.0/shortcuts?revision=7","by":"ci","owner":"ci","target":{"kind":"set","id":"com.example.notes/2.0.0/default","name":null}}"#
        )
        #expect(
            body.text.hasPrefix(#"{"type":"shortcuts.published","timestamp":"2026-01-31T09:00:00.000Z","data":{"#)
                || body.text.hasPrefix(#"{"type":"shortcuts.published","timestamp":"2026-01-31T09:00:00Z","data":{"#))
        guard case .object(let members) = body else { return #expect(Bool(false)) }
        #expect(members.map(\.name.string) == ["type", "timestamp", "data"])
    }

    @Test func `the first publish has no previous revision`() throws {
        let guest = try #require(Audience("guest"))
        let data = try #require(
            try body(try event(of: try publication(try plan("a", at: "2.0", in: [try timeline(["1.0": "x"])], audience: guest))))["data"])
        #expect(data["previousRevision"]?.text == "null" && data["added"]?.text == #"["a"]"# && data["audience"]?.text == #""guest""#)
        #expect(data["url"]?.text == #""https://lp.example/v1/apps/com.example.notes/versions/2.0.0/shortcuts?audience=guest&revision=7""#)
    }

    @Test func `a deletion names its revision`() throws {
        let result = try publication(try plan(nil, at: "2.0", in: [try timeline(["2.0": "a"])]))
        let data = try body(announcer.deleted(result.revision, of: try app().id, by: author))["data"]
        #expect(
            data?.text
                == #"{"app":"com.example.notes","audience":"default","version":"2.0.0","revision":7,"by":"ci","owner":"ci","target":{"kind":"set","id":"com.example.notes/2.0.0/default","name":null}}"#
        )
    }

    @Test func `other events are short`() throws {
        let app = try #require(AppID("a.b"))
        let source = #""by":"ci","owner":"ci","target":"#
        #expect(
            try body(announcer.appCreated(app, by: author))["data"]?.text
                == #"{"app":"a.b",\#(source){"kind":"app","id":"a.b","name":null}}"#)
        #expect(try body(announcer.appDeleted(app, by: author))["type"]?.text == #""app.deleted""#)
        let endpoint = Endpoint(
            id: "ep", url: EndpointURL(stored: "https://a.example/"), createdAt: author.at, secrets: SigningSecrets(current: "whsec_a"))
        #expect(
            try body(announcer.ping(endpoint, by: author))["data"]?.text
                == #"{\#(source){"kind":"webhook","id":"ep","name":"https://a.example"}}"#)
        for (id, told, target) in [("2.1+05", #""5""#, "2.1.0+5"), ("2.1", "null", "2.1.0")] {
            #expect(
                try body(announcer.releaseImported(try build(id), .none, of: app, by: author))["data"]?.text
                    == #"{"app":"a.b","version":"2.1.0","build":\#(told),"shownDifferently":[],\#(source){"kind":"release","id":"a.b/\#(target)","name":null}}"#
            )
        }
    }

    @Test(arguments: [
        ("https://user.example.com/T0/secret?key=1", #""https://user.example.com""#),
        ("http://[2001:DB8::1]:8080/x", #""http://[2001:db8::1]:8080""#),
        ("nonsense", "null"),
    ])
    func `a disabled webhook is named without what may be a credential`(_ url: String, _ told: String) throws {
        var endpoint = Endpoint(
            id: "ep", url: EndpointURL(stored: url), createdAt: author.at, secrets: SigningSecrets(current: "whsec_secret"))
        endpoint.disabledReason = .removed
        let event = announcer.webhookDisabled(endpoint, by: .service(at: author.at))
        #expect(event.type.rawValue == "webhook.disabled" && event.app == nil)
        #expect(
            try body(event)["data"]?.text
                == #"{"id":"ep","url":\#(told),"description":null,"reason":"gone","target":{"kind":"webhook","id":"ep","name":\#(told)}}"#)
    }

    @Test func `a published event stays under 20 kB`() throws {
        func items(_ letter: Character) -> String {
            (0..<20).map { String(repeating: letter, count: 126) + String($0 + 10) }.joined(separator: " ")
        }
        let result = try publication(try plan(items("b"), at: "2.0", in: [try timeline(["2.0": items("a")])]))
        #expect(try event(of: result).body.count < 20_000)
    }
}
