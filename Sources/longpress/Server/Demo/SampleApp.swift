import QuickActions
import Service
import Shortcuts
import Storage

/// The app of `longpress demo`: a notes app in three versions, whose item `compose` (1.0) becomes `new-note` (2.0) and `new-page` (3.0).
enum SampleApp {
    private static let id = "com.example.notes"

    static func publish(to store: Store) throws {
        guard let app = AppID(id), let english = LanguageTag("en") else { return }
        let author = Author(token: "demo", address: "local", request: Randomness.requestID(), at: SystemClock().now())
        _ = try store.putApp(app, by: author) { _ throws(Failure) in
            App(id: app, name: "Example Notes", defaultLanguage: english, fallbackURL: ActionURL(stored: "notes://home"))
        }
        for (version, release) in releases {
            guard let version = AppVersion(version) else { continue }
            let document = ReleaseDocument(try JSON(document: Array(release.utf8)))
            _ = try store.putRelease(try document.checked(for: AppBuild(version)), keepsAssets: false, of: app, by: author)
        }
        for (version, set) in sets {
            guard let version = AppVersion(version) else { continue }
            let document = ShortcutSetDocument(try JSON(document: Array(set.utf8)), defaultLanguage: english)
            let change = SetChange(
                version: version, audience: .default, action: .publish(try document.checked()), writeCondition: .none,
                consent: .none(override: nil))
            _ = try store.publish(change, of: app, by: author)
        }
    }

    static func tour(
        of client: String, admin: String, token: String, session: String?, hasConsole: Bool
    ) -> String {
        let readme = session.map { "The tour in the README begins with `. \($0)`. Or try" } ?? "Try"
        return """

            Longpress serves a sample app, \(id). Its database is deleted when you stop it (Ctrl-C).
            \(readme) in another terminal:

            \(hasConsole ? consoleLines(at: admin, token) : "")  # The menu for version 2.1.0, in Korean
              curl 'http://\(client)/v1/apps/\(id)/versions/2.1.0/shortcuts?lang=ko'

              # The same as a property list
              curl -H 'Accept: application/x-plist' 'http://\(client)/v1/apps/\(id)/versions/2.1.0/shortcuts'

              # 3.0 is installed but not launched yet. A person taps an item that 1.0 registered
              curl -H 'Content-Type: application/json' 'http://\(client)/v1/apps/\(id)/versions/3.0/taps' -d '{
                "type": "com.example.notes.compose",
                "userInfo": {"longpress.schema": 1, "longpress.item": "compose", "longpress.version": "1.0.0"}}'

              # The admin plane
              TOKEN='\(token)'
              curl -H "Authorization: Bearer $TOKEN" 'http://\(admin)/admin/v1/apps/\(id)/sets'
              curl -H "Authorization: Bearer $TOKEN" 'http://\(admin)/admin/v1/apps/\(id)/sets/3.0.0'

              # The menu between the update from 2.1 and the first launch of 3.0, and what each tap does
              curl -H "Authorization: Bearer $TOKEN" -H 'Accept: text/plain' \\
                'http://\(admin)/admin/v1/apps/\(id)/simulate?from=2.1&to=3.0'

            """
    }

    private static func consoleLines(at admin: String, _ token: String) -> String {
        """
          # The console for browsers. Sign in with this token
          http://\(admin)/console/
          \(token)


        """
    }

    private static let releases = [
        (
            "2.0.0",
            #"{"build": "210", "staticItems": [{"type": "com.example.notes.search", "title": "Search", "icon": {"type": "search"}}], "urlSchemes": ["notes"]}"#
        ),
        (
            "3.0.0",
            #"{"build": "512", "staticItems": [{"type": "com.example.notes.search", "title": "Search", "icon": {"type": "search"}}], "urlSchemes": ["notes"]}"#
        ),
    ]

    private static let sets = [
        (
            "1.0.0",
            """
            {"items": [
              {"id": "compose", "type": "com.example.notes.compose", "icon": {"type": "compose"}, "url": "notes://compose",
               "title": {"en": "Compose", "ko": "쓰기", "ja": "書く"}},
              {"id": "inbox", "type": "com.example.notes.folder", "url": "notes://folder/inbox", "userInfo": {"folder": "inbox"},
               "title": {"en": "Inbox", "ko": "받은 메모", "ja": "受信箱"}}
            ]}
            """
        ),
        (
            "2.0.0",
            """
            {"items": [
              {"id": "new-note", "type": "com.example.notes.compose", "replaces": ["compose"], "url": "notes://notes/new",
               "icon": {"symbol": "square.and.pencil", "type": "compose"},
               "title": {"en": "New Note", "ko": "새 메모", "ja": "新規メモ"},
               "subtitle": {"en": "Start blank", "ko": "빈 메모로 시작", "ja": "白紙から"}},
              {"id": "inbox", "type": "com.example.notes.folder", "url": "notes://folder/inbox", "userInfo": {"folder": "inbox"},
               "title": {"en": "Inbox", "ko": "받은 메모", "ja": "受信箱"}}
            ]}
            """
        ),
        (
            "3.0.0",
            """
            {"items": [
              {"id": "new-page", "type": "com.example.notes.page", "replaces": ["new-note"], "url": "notes://pages/new",
               "icon": {"symbol": "square.and.pencil", "type": "compose"},
               "title": {"en": "New Page", "ko": "새 페이지", "ja": "新規ページ"}}
            ],
            "retired": [{"id": "inbox", "url": "notes://library"}]}
            """
        ),
    ]
}
