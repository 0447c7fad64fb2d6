import Foundation
import QuickActions

@testable import Shortcuts

func fuzzDocument(_ bytes: [UInt8]) {
    guard let json = try? JSONReader.read(bytes) else { return }
    require((try? JSONReader.read(json.encoded))?.encoded == json.encoded, "JSON that was written is read as something else")
    guard let english = LanguageTag("en"), let app = AppID("a"), let build = AppBuild("1.0") else { return }
    _ = try? AppDocument(json).checked(for: app)
    _ = try? TokenDocument(json).checked(now: Timestamp(milliseconds: 0))
    _ = try? ReleaseDocument(json).checked(for: build)
    let rules = EndpointRules(
        readURL: { text throws(EndpointURL.ParseError) in try EndpointURL(text) }, checkHeaders: { _ in [] }, makeSecret: { "" })
    _ = try? EndpointDocument(json, rules: rules).created(id: "e", secret: "s", at: Timestamp(milliseconds: 0))
    guard let set = try? ShortcutSetDocument(json, defaultLanguage: english).checked() else { return }
    guard let stored = try? ShortcutSet(stored: set.canonicalJSON) else {
        return require(false, "a set that was accepted cannot be read from the store")
    }
    require(stored.canonicalJSON == set.canonicalJSON, "a set has two canonical spellings")
    guard let answer = ShortcutsAnswer(for: Client(build: build), in: menu(stored, app, english)) else {
        return require(false, "a published set gives no answer")
    }
    let list = Data(answer.json.xmlPropertyList)
    require((try? PropertyListSerialization.propertyList(from: list, format: nil)) != nil, "an answer is no property list")
}

private func menu(_ set: ShortcutSet, _ id: AppID, _ language: LanguageTag) -> AppSnapshot {
    var sets: [PublishedSet] = []
    for text in ["1.0", "2.0"] {
        guard let version = AppVersion(text) else { continue }
        let revision = Int64(sets.count + 1)
        sets.append(PublishedSet(version: version, revision: revision, publishedAt: Timestamp(milliseconds: 0), by: "ci", set: set))
    }
    return AppSnapshot(
        app: App(id: id, name: nil, defaultLanguage: language, fallbackURL: nil),
        timelines: [.default: Timeline(audience: .default, sets: sets)], releases: [])
}

private let knownMenu: AppSnapshot? = {
    let text = """
        {"items":[{"id":"a","type":"t.a","title":{"en":"A","ko":"가"},"url":"x://a","replaces":["b"]},
        {"id":"c","type":"t.c","title":{"en":"C"},"enabled":false}],"retired":[{"id":"d","url":"x://d"}],"fallbackURL":"x://f"}
        """
    guard let english = LanguageTag("en"), let app = AppID("a"), let json = try? JSONReader.read(Array(text.utf8)),
        let set = try? ShortcutSetDocument(json, defaultLanguage: english).checked()
    else { return nil }
    return menu(set, app, english)
}()

func fuzzTap(_ bytes: [UInt8]) {
    guard let menu = knownMenu else { return require(false, "the menu is not sound") }
    guard let json = try? JSONReader.read(bytes), let version = AppVersion("1.5") else { return }
    if let report = try? TapReportDocument(json).report(from: version, in: menu) {
        let counted = report.counts(after: 0, atMost: report.total).values.reduce(0, +)
        require(counted == report.total && counted <= 100_000, "the taps of a report do not add up")
    }
    guard let tap = try? TapDocument(json).tap(version: version, language: .none) else { return }
    let answer = TapAnswer(to: tap, in: menu).json
    require((try? JSONReader.read(answer.encoded))?.encoded == answer.encoded, "an answer to a tap is not JSON")
}

func fuzzPropertyList(_ bytes: [UInt8]) {
    guard let list = try? InfoPlist(bytes), let build = AppBuild("2.1.0"), let app = AppID("com.example.notes") else { return }
    _ = try? list.release(build, of: app)
}

func fuzzValues(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    stays(text, AppVersion.init)
    stays(text, BuildNumber.init)
    stays(text, AppBuild.init)
    stays(text, LanguageTag.init)
    stays(text, AppID.init)
    stays(text, ItemID.init)
    stays(text, Audience.init)
    stays(text) { IPAddress($0) }
    stays(text) { (text: String) -> ActionURL? in try? ActionURL(checking: text) }
    _ = LanguageTag(text)?.lookupChain
}

/// What a value is written as is read as that value, and written the same.
private func stays<Value: Equatable & CustomStringConvertible>(_ text: String, _ read: (String) -> Value?) {
    guard let value = read(text) else { return }
    let again = read(value.description)
    require(
        again == value && again?.description == value.description, "\(Value.self) \(value) is read as \(again?.description ?? "nothing")")
}
