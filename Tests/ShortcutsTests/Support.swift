import Glibc
import QuickActions
import Testing

@testable import Shortcuts

func read(_ text: String) throws -> JSON { try JSON(document: Array(text.utf8)) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension JSON {
    var text: String { String(decoding: encoded, as: UTF8.self) }

    subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

func failure(_ work: () throws -> some Any) -> Failure? {
    do {
        _ = try work()
        return nil
    } catch {
        return error as? Failure
    }
}

extension Failure {
    /// `path: code`, in the order they were found.
    var found: [String] { violations.map { "\($0.path): \($0.code)" } }
}

func version(_ text: String) throws -> AppVersion { try #require(AppVersion(text)) }
func build(_ text: String) throws -> AppBuild { try #require(AppBuild(text)) }
func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }
func tag(_ text: String) throws -> LanguageTag { try #require(LanguageTag(text)) }

func violations(ofSet text: String, language: String = "en") throws -> [String] {
    let json = try read(text)
    let tag = try tag(language)
    return failure { try ShortcutSetDocument(json, defaultLanguage: tag).checked() }?.found ?? []
}

/// The violations of a set with one item: valid members, followed by these.
func violations(ofItem members: String, title: String = #"{"en":"T"}"#) throws -> [String] {
    try violations(ofSet: #"{"items":[{"id":"a","type":"t","title":\#(title)\#(members.isEmpty ? "" : ",")\#(members)}]}"#)
}

func set(_ text: String) throws -> ShortcutSet {
    try ShortcutSetDocument(try read(text), defaultLanguage: try tag("en")).checked()
}

/// `a`, `b<a,c` (b replaces a and c), `!a` (disabled), `-a` (retired), `-a@x:y` (retired with a url), `@x:y` (the set's fallback).
func sketch(_ words: String) throws -> ShortcutSet {
    var items: [String] = []
    var retired: [String] = []
    var fallback = ""
    for word in words.split(separator: " ") {
        if word.hasPrefix("@") {
            fallback = #","fallbackURL":"\#(word.dropFirst())""#
        } else if word.hasPrefix("-") {
            let parts = word.dropFirst().split(separator: "@")
            retired.append(#"{"id":"\#(parts[0])"\#(parts.count > 1 ? #","url":"\#(parts[1])""# : "")}"#)
        } else {
            let parts = word.drop { $0 == "!" }.split(separator: "<")
            let replaces = parts.count > 1 ? parts[1].split(separator: ",").map { #""\#($0)""# }.joined(separator: ",") : ""
            let enabled = !word.hasPrefix("!")
            items.append(
                #"{"id":"\#(parts[0])","type":"type.\#(parts[0])","title":{"en":"T \#(parts[0].prefix(20))"},"enabled":\#(enabled),"replaces":[\#(replaces)]}"#
            )
        }
    }
    return try set(#"{"items":[\#(items.joined(separator: ","))],"retired":[\#(retired.joined(separator: ","))]\#(fallback)}"#)
}

/// `("1.0", "a b")` published as revision 1 and so on.
func timeline(_ sets: KeyValuePairs<String, String>, audience: Audience = .default, firstRevision: Int64 = 1) throws -> Timeline {
    var revision = firstRevision
    var published: [PublishedSet] = []
    for (from, words) in sets {
        published.append(
            PublishedSet(
                version: try version(from), revision: revision, publishedAt: Timestamp(milliseconds: 0), by: "ci",
                set: try sketch(words)))
        revision += 1
    }
    return Timeline(audience: audience, sets: published)
}

func app(fallbackURL: String? = nil, name: String? = nil, language: String = "en") throws -> App {
    App(
        id: try #require(AppID("com.example.notes")), name: name.map { Text($0) }, defaultLanguage: try tag(language),
        fallbackURL: fallbackURL.map { ActionURL(stored: $0) })
}

func release(_ text: String, _ json: String = "{}") throws -> Release {
    try ReleaseDocument(try read(json)).checked(for: try build(text))
}

func snapshot(_ timelines: [Timeline], releases: [Release] = [], app: App? = nil) throws -> AppSnapshot {
    AppSnapshot(
        app: try app ?? plainApp(), timelines: Dictionary(uniqueKeysWithValues: timelines.map { ($0.audience, $0) }),
        releases: releases)
}

private func plainApp() throws -> App { try app() }

let author = Author(token: "ci", address: "127.0.0.1", request: "r1", at: Timestamp(milliseconds: 1_769_850_000_000))
let announcer = Announcer(publicURL: "https://lp.example/") { "abc" }

/// The time that this thread computes, however loaded the machine is.
func processorTime(_ body: () -> Void) -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    body()
    return now() - start
}
