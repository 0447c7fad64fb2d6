import QuickActions
import Testing

@testable import Shortcuts

/// The answer for a client of 2.1.0, with a set of these items that begins at 2.0.0.
func answer(_ items: String, in language: String? = nil) throws -> ShortcutsAnswer {
    let published = PublishedSet(
        version: try version("2.0"), revision: 42, publishedAt: author.at, by: "ci", set: try set(#"{"items":[\#(items)]}"#))
    let preference = try language.map { LanguagePreference.exactly(try tag($0)) } ?? .none
    let client = Client(build: try build("2.1"), language: preference)
    return try #require(ShortcutsAnswer(for: client, in: try snapshot([Timeline(audience: .default, sets: [published])])))
}

extension JSON {
    var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text.string
    }

    /// `item: member` of every omission.
    var omissions: [String] {
        (self["omitted"]?.elements ?? []).map { "\($0["item"]?.string ?? ""): \($0["member"]?.string ?? "null")" }
    }

    /// The reasons, in order.
    var reasons: [String] { (self["omitted"]?.elements ?? []).compactMap { $0["reason"]?.string } }
}

/// An item with a value of every property-list type, and other items of its set.
let everyKind = #"""
    {"id":"all","type":"t","title":{"en":"New Note","ko":"새 메모"},"subtitle":{"en":"Start blank"},"icon":{"symbol":"s"},
     "url":"https://app.example/new","targetContentIdentifier":"inbox",
     "userInfo":{"s":"x","i":-5,"r":1.0,"t":true,"f":false,"a.b":{"$date":"2026-01-31T09:00:00Z"},"d":{"$data":"AQI="},"l":[1],"m":{"k":1}}}
    """#
