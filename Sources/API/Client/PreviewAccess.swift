import HTTP
import QuickActions
import Shortcuts

/// Finds the preview link of a fetch. Each fetch reads the store, the clock and the sign-in roles, so that a link that was deleted, has
/// expired or has lost its creator is rejected at once.
package struct PreviewAccess: Sendable {
    /// The query parameter with the link's id.
    static let parameter = "preview"

    private let links: any PreviewLinkStore
    private let authenticator: Authenticator
    private let clock: any WallClock

    package init(links: any PreviewLinkStore, authenticator: Authenticator, clock: any WallClock) {
        self.links = links
        self.authenticator = authenticator
        self.clock = clock
    }

    /// The link whose id and token the request has; nil if they are not valid together. A text that cannot be a token costs no look into
    /// the store.
    func link(of app: AppID, for request: Request) throws(Failure) -> PreviewLink? {
        let credentials = request.fields.all("Authorization")
        guard let id = request.query[Self.parameter], Self.isID(id), credentials.count == 1,
            let token = Authenticator.bearer(credentials[0]), NewPreviewLink.isToken(token),
            let (link, creator) = try links.previewLink(PreviewLinkID(id), of: app),
            sha256(Array(token.utf8)).isEqualInConstantTime(to: link.hash), link.expiresAt > clock.now(),
            authenticator.allows(link, by: creator)
        else { return nil }
        return link
    }

    private static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }
}

extension Failure {
    /// Quotes nothing of the request, which may have the token in the wrong place.
    static let unknownPreview = Failure(
        .unknownPreview, "The preview has ended or does not exist, or the request lacks its token. Ask for another preview link.")
}
