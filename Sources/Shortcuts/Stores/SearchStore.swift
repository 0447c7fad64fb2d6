/// The search over apps, published sets and drafts.
package protocol SearchStore: Sendable {
    /// Apps by id, then sets, then drafts. Sets and drafts are ordered by app, audience and version, the newest version first. Reading for
    /// one page is bounded, so a page before the last one may have fewer hits than its limit, or none.
    func search(_ words: SearchWords, within scope: Scope, _ page: PageRequest) throws(Failure) -> Page<SearchHit>
}
