import QuickActions
import Testing

@testable import Shortcuts

@Suite struct AppDocumentTests {
    @Test(arguments: [
        ("{}", ["defaultLanguage: required"]), (#"{"defaultLanguage":"en"}"#, []),
        (#"{"defaultLanguage":"e"}"#, ["defaultLanguage: language-invalid"]),
        (#"{"defaultLanguage":"en","name":null,"fallbackURL":null}"#, []),
        (
            #"{"defaultLanguage":"en","name":"","fallbackURL":"x","y":1}"#,
            ["y: unknown-member", "name: text-invalid", "fallbackURL: url-invalid"]
        ),
        (#"{"defaultLanguage":"en","app":"com.example.notes"}"#, []), (#"{"defaultLanguage":"en","app":"other"}"#, ["app: id-invalid"]),
        ("1", [": type-mismatch"]),
    ])
    func `checks an app`(document: String, expected: [String]) throws {
        let (json, id) = (try read(document), try #require(AppID("com.example.notes")))
        #expect((failure { try AppDocument(json).checked(for: id) }?.found ?? []) == expected)
    }

    @Test func `a new default language needs every title`() throws {
        let app = try snapshot([try timeline(["1.0": "a", "2.0": "a b"])])
        #expect(throws: Never.self) { try app.requireTitles(in: try tag("en")) }
        let failure = try #require(failure { try app.requireTitles(in: try tag("fr")) })
        #expect(failure.code == .conflict)
        #expect(failure.violations.count == 3)
    }
}
