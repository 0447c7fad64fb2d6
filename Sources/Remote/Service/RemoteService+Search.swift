import QuickActions

extension RemoteService {
    /// A page of a search's results. A page may be empty before the last one.
    /// - Parameter cursor: `next` of the previous page.
    package func search(_ text: String, in app: AppID?, from cursor: String?) throws(RemoteFailure) -> (items: [JSON], next: String?) {
        let query = [("q", text), ("app", app?.description), ("limit", "200"), ("cursor", cursor)]
        let page = try json(Call(path: "/search", query: query.compactMap { name, value in value.map { (name, $0) } }))
        guard case .array(let items)? = page["items"], page.text("next") == nil || page.text("next") != cursor else {
            throw notLongpress("answered /search without a list")
        }
        return (items, page.text("next"))
    }
}
