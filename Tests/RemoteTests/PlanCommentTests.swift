import QuickActions
import Testing

@testable import Remote

@Suite struct `A comment on a pull request` {
    private static let answer = #"""
        {"applied": false, "apps": {"com.example.mail": {"revision": 41, "changes": [
          {"kind": "app", "action": "update", "fields": {"name": {"old": "Post", "new": "Mail"}}},
          {"kind": "release", "version": "3.0.0+512", "action": "update", "fields": {"urlSchemes": {"old": [], "new": ["mail"]}}},
          {"kind": "set", "version": "2.0.0", "audience": "member", "action": "update", "base": 7,
           "difference": {"added": ["new"], "removed": ["old", "gone", "lost"], "moved": [{"id": "help", "from": 1, "to": 0}],
             "changed": [{"id": "help", "fields": {"title": {"old": {"en": "Help", "de": "Hilfe"}, "new": {"en": "Support"}},
               "replaces": {"old": null, "new": ["old"]}, "enabled": {"old": null, "new": false}}}],
             "set": {"retired": {"old": [], "new": [{"id": "gone", "url": "mail://gone"}]}}},
           "warnings": [{"path": "items", "code": "id-dropped", "message": "\"lost\" was in the set of 2.0.0 (revision 7) but is not …"},
             {"path": "items[0].title.en", "code": "title-emoji", "message": "items[0].title.en has an emoji.", "new": false},
             {"path": "items[1]", "code": "static-twin", "message": "Release 3.0.0+512 has a static item titled \"*New*\", too."}]}],
          "conflicts": [{"name": "3.0.0", "revision": 40, "at": "2026-11-05T09:00:00.000Z", "by": "ana", "git": {}, "live": {}, "members": [
            {"key": "a title.en", "item": "a", "member": "title.en", "base": "A", "mine": "Git", "theirs": "Live"}]}],
          "drift": [{"version": "1.0.0", "audience": "default", "action": "update", "revision": 41, "at": "2026-11-25T09:00:00.000Z",
            "by": "ana", "revertsAt": "2026-11-27T18:00:00Z", "difference": {"added": [], "removed": [], "moved": [], "set": {},
              "changed": [{"id": "a", "fields": {"title": {"old": {"en": "A"}, "new": {"en": "Sale"}}}}]}}]}}}
        """#

    private static let tree = [
        "com.example.mail/app.json": #"{"defaultLanguage": "en", "name": "Mail", "fallbackURL": "mail://home"}"#,
        "com.example.mail/sets/1.0.0.json": #"{"items": [{"id": "a", "title": {"en": "A"}, "type": "t"}]}"#,
        "com.example.mail/sets/2.0.0@member.json": #"""
        {"items": [{"id": "help", "title": {"en": "Support"}, "type": "t", "replaces": ["old"], "enabled": false},
          {"id": "new", "title": {"en": "New", "ko": "새"}, "type": "t"}], "retired": [{"id": "gone", "url": "mail://gone"}]}
        """#,
        "com.example.mail/sets/3.0.0.json": #"{"items": [{"id": "a", "title": {"en": "Git"}, "type": "t"}]}"#,
        "com.example.mail/sets/4.0.0@member.json": #"{"items": []}"#,
    ]

    private func plan(_ text: String) throws -> PlannedChanges { try #require(PlannedChanges(try JSONReader.read(Array(text.utf8)))) }

    private func live() throws -> LiveDocuments {
        let items =
            #"[{"id": "old", "title": {"en": "Old"}}, {"id": "gone", "title": {"en": "Gone"}}, {"id": "lost", "title": {"en": "Lost"}}]"#
        var live = LiveDocuments()
        let name = try #require(SetName("2.0.0@member"))
        live.apps[try #require(AppID("com.example.mail"))] = AppComment.Live(
            app: nil, sets: [name: try JSONReader.read(Array("{\"items\": \(items)}".utf8))])
        return live
    }

    @Test func `says in sentences what changes, for whom, what stays and what is lost`() throws {
        let folder = try Folder(Self.tree)
        let application = Application(try TreeReader.read(folder.path), ApplyOptions())
        #expect(
            PlanComment.text(try plan(Self.answer), of: application, try live()) == """
                ### Menus

                1 menu changes, 2 other changes, 1 conflict must be decided, 1 tap is lost, 2 warnings, 1 menu was changed on the service.

                <details open>
                <summary><code>Mail</code> <code>com.example.mail</code>: 1 menu changes, 2 other changes, 1 conflict must be decided, \
                1 tap is lost, 2 warnings, 1 menu was changed on the service</summary>

                **Conflicts.** Nothing is applied before they are decided.

                - The menu of 3.0.0 for everyone was changed in git, and on the service by `ana` on 5 Nov 2026 at 09:00 UTC (revision 40).
                  - Title `en` of `Git`: was `A`, is `Git` in git and `Live` on the service.
                  - Decide with `--use-git` `com.example.mail/3.0.0` or `--use-live` `com.example.mail/3.0.0`.

                **The app's settings change.**

                - Name: ~~`Post`~~ → `Mail`

                **Release `3.0.0+512` changes.**

                - Changed: `urlSchemes`.

                **The menu of 2.0.0 for `member` changes.**

                For versions from 2.0.0 up to 4.0.0.

                - `Old` → `Support`
                - `Gone` is retired: a tap opens `mail://gone`.
                - `Lost` is removed without a rule: a tap opens `mail://home`.
                - `New` is new. ko: `새`
                - Title `en` of `Support`: ~~`Help`~~ → `Support`
                - Title `de` of `Support`: ~~`Hilfe`~~ → nothing
                - `Support` is no longer shown.
                - `Support` is now number 1.

                ⚠️ **Taps that are lost after the update.** No rule says what they do. List the ids under `replaces` of an item, or under \
                `retired`.

                - A tap on `Lost` (id `lost`) opens `mail://home`.

                ⚠️ **Warnings**

                - `Support`: The title in `en` has an emoji. Apple recommends an icon instead. (also in the current menu)
                - `New`: Release 3\\.0\\.0\\+512 has a static item titled `*New*`, too.

                **Left alone.** Somebody changed these menus on the service. `longpress pull` brings the changes into git.

                - The menu of 1.0.0 for everyone was changed by `ana` on 25 Nov 2026 at 09:00 UTC (revision 41). It reverts automatically on \
                27 Nov 2026 at 18:00 UTC, unless someone publishes before then.
                  - Title `en` of `A`: ~~`A`~~ → `Sale`

                </details>

                """)
    }

    @Test func `says that nothing changes`() throws {
        let text = PlanComment.text(
            try plan(#"{"applied": false, "apps": {"a": {"revision": 1, "changes": []}}}"#), of: .nothing, LiveDocuments())
        #expect(text == "### Menus\n\nNothing changes.\n\n")
    }

    /// A plan of apps, each with that many new items in one set.
    private func large(_ items: [Int]) throws -> (PlannedChanges, Application) {
        var (files, apps): ([String: String], [String]) = ([:], [])
        let long = String(repeating: "-", count: 90)
        for (number, count) in items.enumerated() {
            let app = "com.example.a\(1000 + number)" + (items.count > 200 ? String(repeating: "a", count: 130) : "")
            let ids = (0..<count).map { "item-\($0)" }
            let documents = ids.map { #"{"id": "\#($0)", "type": "t", "title": {"en": "A title of \#($0)\#(long)"}}"# }
            files["\(app)/sets/1.0.0.json"] = "{\"items\": [\(documents.joined(separator: ","))]}"
            let added = ids.map { "\"\($0)\"" }.joined(separator: ",")
            apps.append(
                """
                "\(app)": {"revision": 1, "changes": [{"kind": "set", "version": "1.0.0", "audience": "default", "action": "create",
                  "difference": {"added": [\(added)], "removed": [], "moved": [], "changed": [], "set": {}}, "warnings": []}]}
                """)
        }
        let folder = try Folder(files)
        let application = Application(try TreeReader.read(folder.path), ApplyOptions())
        return (try plan("{\"applied\": false, \"apps\": {\(apps.joined(separator: ","))}}"), application)
    }

    @Test(arguments: [(items: 600, apps: 1), (20, 200), (1, 400)])
    func `leaves differences out from the largest app on, and stays below the limit`(items: Int, apps: Int) throws {
        let (plan, application) = try large(apps == 1 ? [20, items, 20] : Array(repeating: items, count: apps))
        let text = PlanComment.text(plan, of: application, LiveDocuments())
        #expect(text.utf8.count <= PlanComment.limit)
        #expect(text.contains("The comment would be too long."))
        #expect(text.ranges(of: "<details").count == text.ranges(of: "</details>").count)
        if apps == 1 {
            #expect(text.contains("The differences of 1 app are left out."))
            #expect(text.ranges(of: "is new.\n").count == 40 && !text.contains("item-599"))
        }
        if items == 1 { #expect(text.contains("are not listed.")) }
    }

    @Test(arguments: [
        ("plain", "`plain`"), ("a`b", "``a`b``"), ("`a``", "``` `a`` ```"), ("", "(empty)"), (" a ", "`  a  `"),
        ("two\nlines\u{2028}\u{202E}", "`two\u{FFFD}lines\u{FFFD}\u{FFFD}`"), ("<b>@all</b> https://x.y", "`<b>@all</b> https://x.y`"),
        (String(repeating: "a", count: 121), "`\(String(repeating: "a", count: 120))…`"),
    ]) func `menu text is a code span`(text: String, expected: String) {
        #expect(GitHubText.code(text) == expected)
    }

    @Test func `menu text is bounded in bytes`() {
        #expect(GitHubText.code("e" + String(repeating: "\u{301}", count: 10_000)).utf8.count < 600)
    }

    @Test(arguments: [
        (#""a`b\"c" was there, and is gone."#, "``a`b\"c`` was there, and is gone."), ("unended \"quote", "unended \\\"quote"),
        ("See https://x.y, @all or #12.", "See https\\:\u{200B}\\/\\/x\\.y, \\@\u{200B}all or \\#\u{200B}12."),
        ("*a* [b](c) <i>", "\\*a\\* \\[b\\](c) \\<i\\>"),
    ]) func `sentences of the service are escaped`(sentence: String, expected: String) {
        #expect(GitHubText.prose(sentence) == expected)
    }

    @Test func `text in a summary is HTML`() {
        #expect(GitHubText.html("</summary>\"&'") == "<code>&#60;/summary&#62;&#34;&#38;&#39;</code>")
    }
}
