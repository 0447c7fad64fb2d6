import Testing

@testable import Shortcuts

@Suite struct EndpointDocumentTests {
    let rules = EndpointRules(
        readURL: { text throws(EndpointURL.Refusal) in
            guard text.hasPrefix("https://") else { throw EndpointURL.Refusal(.invalid, "no") }
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
}
