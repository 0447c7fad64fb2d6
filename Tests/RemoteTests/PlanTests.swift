import QuickActions
import Testing

@testable import Remote

@Suite struct `A plan` {
    private static let answer = #"""
        {"applied": false, "apps": {"com.example.mail": {"revision": 41, "changes": [
          {"kind": "app", "action": "update", "fields": {"name": {"old": null, "new": "Mail"}, "fallbackURL": {"old": "mail://a", "new": null}}},
          {"kind": "release", "version": "3.0.0+512", "action": "create", "fields": {}},
          {"kind": "set", "version": "1.0.0", "audience": "default", "action": "delete",
           "difference": {"added": [], "removed": ["inbox"], "moved": [], "changed": [], "set": {}}, "warnings": []},
          {"kind": "set", "version": "2.0.0", "audience": "member", "action": "update", "base": 7,
           "difference": {"added": ["new"], "removed": [], "moved": [{"id": "help", "from": 1, "to": 0}],
             "changed": [{"id": "compose", "fields": {"title": {"old": {"en": "Compose", "ko": "쓰기"}, "new": {"en": "Compose", "ja": "書く"}},
               "userInfo": {"old": {"n": 1}, "new": {"n": 1.0}}}}], "set": {"fallbackURL": {"old": "mail://a", "new": "mail://b"}}},
           "warnings": [{"path": "items[0].title.ko", "code": "title-missing", "message": "It is gone.", "new": false}]}
        ]}, "com.example.notes": {"revision": 0, "changes": []}}}
        """#

    private func plan(_ text: String = answer) throws -> PlannedChanges {
        try #require(PlannedChanges(try JSONReader.read(Array(text.utf8))))
    }

    private var application: Application {
        get throws {
            let folder = try Folder([
                "com.example.mail/sets/2@member.json": #"{"items": [{"id": "new", "title": {"en": "New"}, "type": "t"}]}"#
            ])
            var options = ApplyOptions()
            options.prunes = true
            return Application(try TreeReader.read(folder.path), options)
        }
    }

    @Test func `says how many changes came without their details`() throws {
        let text = PlanReport.text(
            try plan(
                #"""
                {"applied": false, "leftOut": 1, "apps": {"com.example.mail": {"revision": 41, "changes": [
                  {"kind": "set", "version": "1.0.0", "audience": "default", "action": "update"}]}}}
                """#), of: try application)
        #expect(
            text == """
                com.example.mail (revision 41)
                ~ set 1.0.0

                The plan is too large. Differences and warnings of 1 change are not shown.
                1 to change.
                """)
    }

    @Test func `is told by item and member, with old and new`() throws {
        let text = PlanReport.text(try plan(), of: try application)
        #expect(
            text == """
                com.example.mail (revision 41)
                ~ app
                +     name: "Mail"
                -     fallbackURL: "mail://a"
                + release 3.0.0+512
                - set 1.0.0
                -     inbox
                ~ set 2.0.0@member
                +     new
                +     new.title.en: "New"
                +     new.type: "t"
                -     compose.title.ko: "쓰기"
                +     compose.title.ja: "書く"
                ~     compose.userInfo.n: 1 → 1.0
                ~     help: from position 2 to 1
                ~     fallbackURL: "mail://a" → "mail://b"
                !     items[0].title.ko: It is gone. [title-missing, not new]

                1 to create, 2 to change, 1 to delete; 1 warning.
                """)
    }

    @Test func `lists conflicts and what was changed on the service`() throws {
        let changes = try plan(
            #"""
            {"applied": false, "apps": {"com.example.mail": {"revision": 41, "changes": [],
              "conflicts": [
                {"name": "2.0.0", "revision": 40, "at": "2026-11-25T09:00:00Z", "by": "ana", "git": {}, "live": {}, "members": [
                  {"key": "a title.en", "item": "a", "member": "title.en", "base": "A", "mine": "Git", "theirs": "Live"},
                  {"key": "set order", "item": null, "member": "order", "mine": ["a", "b"], "theirs": ["b", "a"]}]},
                {"name": "3.0.0", "revision": null, "at": null, "by": null, "git": {}, "live": null, "members": []},
                {"name": "4.0.0", "revision": 39, "at": "2026-11-25T09:00:00Z", "by": "ana", "git": null, "live": {}, "members": []}],
              "drift": [{"version": "1.0.0", "audience": "member", "action": "update", "revision": 41, "at": "2026-11-25T09:00:00Z",
                "by": "ana", "revertsAt": "2026-11-27T18:00:00Z", "difference": {"added": [], "removed": [], "moved": [], "set": {},
                  "changed": [{"id": "a", "fields": {"title": {"old": {"en": "A"}, "new": {"en": "Sale"}}}}]}}]}}}
            """#)
        #expect(!changes.isEmpty)
        #expect(
            PlanReport.text(changes, of: try application) == """
                com.example.mail (revision 41)
                x set 2.0.0: changed here and on the service by ana in revision 40 at 2026-11-25T09:00:00Z
                x     a.title.en: was "A", is "Git" here and "Live" on the service
                x     order: was nothing, is ["a","b"] here and ["b","a"] on the service
                x     Decide with --use-git com.example.mail/2.0.0 or --use-live com.example.mail/2.0.0.
                x set 3.0.0: changed here, and deleted on the service
                x     Decide with --use-git com.example.mail/3.0.0 or --use-live com.example.mail/3.0.0.
                x set 4.0.0: deleted here, and changed on the service by ana in revision 39 at 2026-11-25T09:00:00Z
                x     Decide with --use-git com.example.mail/4.0.0 or --use-live com.example.mail/4.0.0.
                = set 1.0.0@member: changed on the service by ana in revision 41 at 2026-11-25T09:00:00Z, and left alone
                =     A campaign. It reverts automatically at 2026-11-27T18:00:00Z.
                =     a.title.en: "A" → "Sale"

                3 conflicts to decide.
                """)
    }

    @Test(arguments: [
        ("", false), ("[]", false), (#"{"apps": {}}"#, false), (#"{"apps": {}, "applied": 1}"#, false),
        (#"{"apps": {}, "applied": true}"#, true),
        (#"{"apps": {"a": {"revision": 1, "changes": [{"kind": "set"}]}}, "applied": true}"#, false),
        (#"{"apps": {"a b": {"revision": 1, "changes": []}}, "applied": "drafts"}"#, false),
        (#"{"apps": {"a": {"revision": 1, "changes": []}}, "applied": "drafts"}"#, true),
    ])
    func `is read from an answer that is one, and from no other`(_ text: String, _ isRead: Bool) {
        #expect(((try? JSONReader.read(Array(text.utf8))).flatMap { PlannedChanges($0) } != nil) == isRead)
    }

    @Test func `is kept with the revisions that stood, for the service that it was made with`() throws {
        let folder = try Folder([:])
        let path = folder.path + "/plans/plan.json"
        let server = try ServerAddress("https://menus.example.com/")
        try PlanFile(application, planned: plan(), on: server).write(to: path)
        let kept = try PlanFile(readFrom: path, for: try ServerAddress("https://MENUS.example.com:443"))
        #expect(
            kept.application.document["base"]?.encoded == Array(#"{"com.example.mail":{"2.0.0@member":7},"com.example.notes":{}}"#.utf8))
        #expect(kept.application.options.prunes)
        #expect(kept.isOf(try application))
        let failure = #expect(throws: RemoteFailure.self) {
            try PlanFile(readFrom: path, for: try ServerAddress("https://other.example.com"))
        }
        #expect(failure?.description.contains("https://menus.example.com, but the service is https://other.example.com") == true)
    }

    @Test(arguments: [
        ("", "is not JSON"), ("{}", "is not a plan"), (#"{"format": "longpress-export"}"#, "is not a plan"),
        (
            #"{"format": "longpress-plan", "schema": 1, "server": "https://a.example", "prune": false, "base": {}, "apps": {}}"#,
            "another version"
        ),
        (
            #"{"format": "longpress-plan", "schema": 2, "server": "https://a.example", "prune": false, "overwrite": false, "recreate": false, "base": {"a": 1}, "apps": {}}"#,
            #"base has "a""#
        ),
        (
            #"{"format": "longpress-plan", "schema": 2, "server": "https://a.example", "prune": false, "overwrite": false, "recreate": false, "base": {"a b": {}}, "apps": {}}"#,
            #"has "a b""#
        ),
    ])
    func `is refused where its file is none`(_ text: String, _ words: String) throws {
        let folder = try Folder(["plan.json": text])
        let failure = #expect(throws: RemoteFailure.self) {
            try PlanFile(readFrom: folder.path + "/plan.json", for: try ServerAddress("https://a.example"))
        }
        #expect(failure?.description.contains(words) == true && failure?.description.contains("plan.json") == true)
    }
}
