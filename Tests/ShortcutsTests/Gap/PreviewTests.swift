import QuickActions
import Testing

@testable import Shortcuts

@Suite struct PreviewTests {
    private static let statics = #"{"staticItems":[{"type":"s","title":"SEARCH"},{"type":"h","title":"HOME"}]}"#

    private func preview(_ text: String, _ audience: Audience = .default, of snapshot: AppSnapshot, drafts: [Draft] = []) throws -> Preview
    {
        Preview(for: Client(build: try build(text), audience: audience), in: snapshot, publishing: drafts)
    }

    private func draft(_ text: String, _ words: String, _ audience: Audience = .default) throws -> Draft {
        Draft(
            version: try version(text), audience: audience, set: try sketch(words), tag: "", savedAt: Timestamp(milliseconds: 0),
            savedBy: "ana")
    }

    private func ids(_ preview: Preview) -> [String] { preview.entries.map { $0.id?.description ?? "static" } }

    @Test func `static items come first, and what does not fit is hidden`() throws {
        let app = try snapshot([try timeline(["1.0": "a b !c d"])], releases: [try release("1.0", Self.statics)])
        let preview = try preview("1.0", of: app)
        #expect(ids(preview) == ["static", "static", "a", "b", "d"])
        let json = preview.json
        #expect(json["menu"]?[3]?["id"]?.text == #""b""# && json["menu"]?[4] == nil)
        #expect(json["hidden"]?[0]?["visible"]?.text == "false" && json["hidden"]?[0]?["id"]?.text == #""d""#)
        #expect(preview.visibleBudget == 2 && json["answer"]?["items"]?[2] != nil && json["answer"]?["items"]?[3] == nil)
    }

    @Test func `a client older than every set has its static items, and no answer`() throws {
        let app = try snapshot([try timeline(["2.0": "a"])], releases: [try release("1.0", Self.statics)])
        let preview = try preview("1.5", of: app)
        #expect(ids(preview) == ["static", "static"] && preview.answer == nil && !preview.isDraft)
    }

    @Test(arguments: [("1.9", "a", false), ("2.0", "d", true), ("2.9", "d", true), ("3.0", "c", false)])
    func `drafts are shown where they would be in effect`(_ client: String, _ id: String, _ isDraft: Bool) throws {
        let app = try snapshot([try timeline(["1.0": "a", "3.0": "c"])])
        let preview = try preview(client, of: app, drafts: [try draft("2.0", "d")])
        #expect(ids(preview) == [id] && preview.isDraft == isDraft)
        #expect(try ids(self.preview(client, of: app)) == [client == "3.0" ? "c" : "a"])
    }

    @Test func `an audience that has only a draft is shown it`() throws {
        let member = try #require(Audience("member"))
        let app = try snapshot([try timeline(["1.0": "a"])])
        #expect(try preview("1.0", member, of: app).audience == .default)
        let shown = try preview("1.0", member, of: app, drafts: [try draft("1.0", "m", member)])
        #expect(shown.audience == member && ids(shown) == ["m"] && shown.isDraft)
    }
}
