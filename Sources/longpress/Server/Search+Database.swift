import QuickActions
import Service
import Shortcuts
import Storage

extension Search {
    /// Only reads the database.
    func searchDatabase(_ text: String, in app: AppID?, print: ([JSON]) throws -> Void) throws {
        let (reader, words) = (try source.local.name().reader(), try SearchWords(text))
        var cursor: String?
        repeat {
            let page = try reader.search(words, within: app.map { .apps([$0]) } ?? .all, PageRequest(limit: 200, cursor: cursor))
            try print(page.items.map(\.json))
            cursor = page.next
        } while cursor != nil
    }
}
