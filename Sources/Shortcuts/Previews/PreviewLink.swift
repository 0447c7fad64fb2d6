import QuickActions

/// Lets a phone fetch drafts of an app, without a token of the admin plane. A link ends with the rights of its creator.
package struct PreviewLink: Sendable {
    /// The most links that an app has at one time.
    package static let limit = 20

    package let id: PreviewLinkID
    package let app: AppID
    /// The version of the only draft that the link shows; nil for every version.
    package let version: AppVersion?
    /// The audience of the drafts that the link shows; nil for every audience.
    package let audience: Audience?
    /// SHA-256 of the whole token `lpv_…`, 32 bytes.
    package let hash: [UInt8]
    package let creator: Session.Owner
    /// The name of the creator's token, or a person's address.
    package let createdBy: String
    package let createdAt: Timestamp
    /// From this time on, the link is not accepted.
    package let expiresAt: Timestamp

    package init(
        id: PreviewLinkID, app: AppID, version: AppVersion?, audience: Audience?, hash: [UInt8], creator: Session.Owner, createdBy: String,
        createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.app = app
        self.version = version
        self.audience = audience
        self.hash = hash
        self.creator = creator
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

extension PreviewLink {
    /// Without the token, which is not stored.
    package var json: JSON {
        settings.adding("createdBy", .string(createdBy)).adding("createdAt", .string(createdAt))
    }

    /// What the audit records.
    package var settings: JSON {
        [
            "id": .string(id), "version": .optional(version), "audience": .optional(audience), "expiresAt": .string(expiresAt),
        ]
    }
}

/// A link that was just created, with its token, which is shown once.
package struct NewPreviewLink: Sendable {
    package let link: PreviewLink
    /// `lpv_` + base64url of 32 random bytes.
    package let token: String

    /// - Parameter creatorEndsAt: when the creator's token expires. The link does not outlast it.
    package init(
        _ request: PreviewLinkRequest, of app: AppID, id: PreviewLinkID, secretBytes: [UInt8], by creator: Session.Owner,
        named name: String,
        creatorEndsAt: Timestamp?, at time: Timestamp
    ) {
        token = Self.prefix + base64URL(secretBytes)
        let end = time + request.life
        link = PreviewLink(
            id: id, app: app, version: request.version, audience: request.audience, hash: sha256(Array(token.utf8)), creator: creator,
            createdBy: name, createdAt: time, expiresAt: creatorEndsAt.map { min($0, end) } ?? end)
    }

    /// - Parameter scheme: the app's URL scheme; nil if it is unknown. Then the answer has no link.
    package func json(scheme: Text?) -> JSON {
        let url = scheme.map { "\($0.string)://longpress-preview?id=\(link.id)&token=\(token)" }
        return link.json.adding("token", .string(token)).adding("link", .optional(url))
    }

    private static let prefix = "lpv_"

    /// Whether a text has the form of a token, so that other texts need no look into the store.
    package static func isToken(_ text: String) -> Bool {
        let secret = text.utf8.dropFirst(prefix.utf8.count)
        return text.hasPrefix(prefix) && secret.count == 43
            && secret.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}

extension AppSnapshot {
    /// The first URL scheme of the newest release that opens an app and not a browser; nil if the release has none.
    package var previewScheme: Text? {
        releases.last?.urlSchemes.first { scheme in
            !["http", "https"].contains(scheme.string.lowercased()) && (try? ActionURL(checking: "\(scheme.string)://a")) != nil
        }
    }
}

/// The link to create, validated.
package struct PreviewLinkRequest: Sendable {
    package let version: AppVersion?
    package let audience: Audience?
    package let life: Duration
}

/// The body of `POST …/previews`: `{"version"?, "audience"?, "expiresIn"?}`.
package struct PreviewLinkDocument {
    fileprivate static let maxLife = Duration.seconds(7 * 24 * 3600)
    private static let defaultLife = Duration.seconds(24 * 3600)

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func checked() throws(Failure) -> PreviewLinkRequest {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["version", "audience", "expiresIn"])
        let version = document?.optional("version", checker.version)
        let audience = document?.optional("audience", checker.audience)
        let life = document?.optional("expiresIn", checker.previewLife)
        try checker.finish()
        return PreviewLinkRequest(version: version, audience: audience, life: life ?? Self.defaultLife)
    }
}

extension DocumentChecker {
    fileprivate func previewLife(_ json: JSON, at path: DocumentPath) -> Duration? {
        guard let text = string(json, at: path)?.string else { return nil }
        guard let life = Duration(text: text), life > .zero else {
            note(
                "duration-invalid", at: path,
                "\(quoted(text)) is not the life of a preview. Use a whole number above 0 with s, m or h, for example 24h.")
            return nil
        }
        guard life <= PreviewLinkDocument.maxLife else {
            note("duration-too-long", at: path, "\(quoted(text)) is too long. Use at most 7 days, 168h.")
            return nil
        }
        return life
    }
}

extension Failure {
    package static func unknownPreviewLink(_ id: PreviewLinkID, of app: AppID) -> Failure {
        Failure(
            .unknownResource,
            "There is no preview \(quoted(id.description)) of \"\(app)\". It may have ended. List the previews with GET …/previews.")
    }
}
