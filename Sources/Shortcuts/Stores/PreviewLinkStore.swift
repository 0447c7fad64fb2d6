import QuickActions

/// The preview links of apps.
package protocol PreviewLinkStore: Sendable {
    /// The link, even if it has expired, and its creator's token. Nil if there is no such link, or if the token was revoked.
    func previewLink(_ id: PreviewLinkID, of app: AppID) throws(Failure) -> (link: PreviewLink, token: Token?)?
    /// The links that have not expired, oldest first.
    func previewLinks(of app: AppID, at now: Timestamp, _ page: PageRequest) throws(Failure) -> Page<PreviewLink>
    /// - Throws: `unknownApp`; `unauthenticated` if the creator's token was revoked in the meantime; `quotaExceeded`.
    func createPreviewLink(_ link: PreviewLink, by author: Author) throws(Failure)
    /// - Throws: `unknownResource`, also for a link that has expired.
    func deletePreviewLink(_ id: PreviewLinkID, of app: AppID, by author: Author) throws(Failure)
}
