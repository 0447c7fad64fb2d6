import Testing

@testable import Shortcuts

@Suite struct EndpointDocumentTests {
    let rules = EndpointRules(
        readURL: { text throws(EndpointURL.ParseError) in
            guard text.hasPrefix("https://") else { throw EndpointURL.ParseError(.invalid, "no") }
            return try EndpointURL(text)
        },
        checkHeaders: { _ in [] }, makeSecret: { "whsec_x" })

    @Test(arguments: [
        ("{}", ["url: required"]), (#"{"url":""}"#, ["url: url-invalid"]), (#"{"url":"x"}"#, ["url: url-invalid"]),
        (#"{"url":"https://a"}"#, []), (#"{"url":"https://a","types":[],"apps":[]}"#, ["types: types-empty", "apps: apps-empty"]),
        (#"{"url":"https://a","types":null,"apps":["a"]}"#, []),
        (
            #"{"url":"https://a","types":["x"],"apps":["-"],"headers":{"A":1},"ordered":1,"y":2}"#,
            ["y: unknown-member", "types[0]: type-unknown", "apps[0]: id-invalid", "headers.A: type-mismatch", "ordered: type-mismatch"]
        ),
    ])
    func `checks a new endpoint`(document: String, expected: [String]) throws {
        let json = try read(document)
        #expect(
            (failure { try EndpointDocument(json, rules: rules).created(id: "e", secret: "s", at: author.at) }?.found ?? []) == expected)
    }

    @Test func `refuses an empty filter, unless it is stored already`() throws {
        var stored = try EndpointDocument(try read(#"{"url":"https://a"}"#), rules: rules).created(id: "e", secret: "s", at: author.at)
        let emptied = failure { try EndpointDocument(try read(#"{"types":[]}"#), rules: rules).applied(to: stored, at: author.at) }
        #expect(emptied?.found == ["types: types-empty"])
        stored.types = []
        let described = try EndpointDocument(try read(#"{"description":"d"}"#), rules: rules).applied(to: stored, at: author.at)
        #expect(described.description == "d" && described.types == [])
    }

    @Test func `a patch replaces arrays, null means all and enabling clears the reason`() throws {
        let stored = try EndpointDocument(try read(#"{"url":"https://a","types":["app.created"],"apps":["b"]}"#), rules: rules).created(
            id: "e", secret: "s", at: author.at)
        var failing = stored
        (failing.enabled, failing.disabledReason) = (false, .failing)
        let patched = try EndpointDocument(try read(#"{"types":["app.deleted"],"apps":null}"#), rules: rules).applied(
            to: failing, at: author.at)
        #expect(patched.types == [.appDeleted] && patched.apps == nil && patched.disabledReason == .failing && !patched.enabled)
        #expect(
            try EndpointDocument(try read(#"{"enabled":true}"#), rules: rules).applied(to: failing, at: author.at).disabledReason == nil)
    }
}

extension EndpointDocumentTests {
    @Test func `a patch keeps the types that a newer node has stored, and adds none`() throws {
        var stored = try EndpointDocument(try read(#"{"url":"https://a"}"#), rules: rules).created(id: "e", secret: "s", at: author.at)
        stored.types = [EventType(rawValue: "moon.phase"), .published]
        let described = try EndpointDocument(try read(#"{"description":"d"}"#), rules: rules).applied(to: stored, at: author.at)
        #expect(described.types == stored.types)
        let other = failure { try EndpointDocument(try read(#"{"types":["moon.rise"]}"#), rules: rules).applied(to: stored, at: author.at) }
        #expect(other?.found == ["types[0]: type-unknown"])
    }

    @Test(arguments: [
        (#"{"url":"https://b"}"#, ["headers.Authorization: header-value-missing", "headers.X: header-value-missing"]),
        (#"{"url":"https://a:444"}"#, ["headers.Authorization: header-value-missing", "headers.X: header-value-missing"]),
        (#"{"url":"https://b","headers":{}}"#, ["headers.Authorization: header-value-missing", "headers.X: header-value-missing"]),
        (#"{"url":"https://b","headers":{"X":null}}"#, ["headers.Authorization: header-value-missing"]),
        (#"{"url":"https://b","headers":{"X":"1","Authorization":"***"}}"#, ["headers.Authorization: header-value-missing"]),
        // In a merge patch, a field in another case does not replace the stored field.
        (#"{"url":"https://b","headers":{"X":"1","authorization":"2"}}"#, ["headers.Authorization: header-value-missing"]),
        (
            #"{"url":"https://b","headers":{"X":"1","Authorization":null,"AUTHORIZATION":"***"}}"#,
            ["headers.AUTHORIZATION: header-value-missing"]
        ),
        (#"{"url":"https://b","headers":null}"#, []), (#"{"url":"https://b","headers":{"X":"1","Authorization":"2"}}"#, []),
        (#"{"url":"https://b","headers":{"X":null,"Authorization":null}}"#, []),
    ])
    func `another origin needs every header value again and has a new secret`(patch: String, expected: [String]) throws {
        let document = #"{"url":"https://a","headers":{"Authorization":"stored","X":"stored"}}"#
        var endpoint = try EndpointDocument(try read(document), rules: rules).created(id: "e", secret: "old", at: author.at)
        endpoint.secrets = SigningSecrets(current: "old", previous: "older", previousExpiresAt: .init(milliseconds: .max))
        let change = EndpointDocument(try read(patch), rules: rules)
        guard expected.isEmpty else {
            let found = failure { try change.applied(to: endpoint, at: author.at) }?.found
            #expect(found.map(Set.init) == Set(expected))
            return
        }
        let changed = try change.applied(to: endpoint, at: author.at)
        #expect(changed.secrets.current == "whsec_x" && changed.secrets.previous == nil)
        #expect(!changed.headers.contains { $0.value == "stored" })
    }

    @Test(arguments: [#"{"url":"https://A:443/other?q"}"#, #"{"description":"d"}"#])
    func `another path at the same origin keeps headers and secrets`(patch: String) throws {
        let document = #"{"url":"https://a/hooks","headers":{"Authorization":"stored"}}"#
        let endpoint = try EndpointDocument(try read(document), rules: rules).created(id: "e", secret: "old", at: author.at)
        let changed = try EndpointDocument(try read(patch), rules: rules).applied(to: endpoint, at: author.at)
        #expect(changed.secrets.current == "old" && changed.headers == endpoint.headers)
    }
}
