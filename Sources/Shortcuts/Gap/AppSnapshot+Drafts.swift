import QuickActions

extension AppSnapshot {
    /// The app as if all drafts were published now, in the given order, with the revisions that they would get.
    package func publishing(_ drafts: [Draft]) -> AppSnapshot {
        drafts.reduce(self) { app, draft in
            app.after(
                Revision(
                    number: app.lastRevision + 1, kind: .published, version: draft.version, audience: draft.audience,
                    publishedAt: draft.savedAt, by: draft.savedBy, set: draft.set))
        }
    }
}

extension DraftStore {
    /// Every draft of the app, ascending by audience and version.
    package func drafts(of app: AppID) throws(Failure) -> [Draft] {
        var drafts: [Draft] = []
        var cursor: String?
        repeat {
            let page = try self.drafts(of: app, PageRequest(limit: 200, cursor: cursor))
            drafts += page.items
            cursor = page.next
        } while cursor != nil
        return drafts
    }
}
