/// The search over apps, published sets and drafts.
package protocol SearchStore: Sendable {
    /// Apps by id, then sets and then drafts, by app, audience and version, the newest version first. A page may have less than its limit,
    /// or nothing, before the last one: what is read for one is bounded.
    func search(_ words: SearchWords, within scope: Scope, _ page: PageRequest) throws(Failure) -> Page<SearchHit>
}
