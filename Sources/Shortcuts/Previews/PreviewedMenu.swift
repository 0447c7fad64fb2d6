import QuickActions

/// The menu that a preview link shows to a client: as if the drafts were published.
package struct PreviewedMenu: Sendable {
    /// The app, with only the set that the client is shown.
    package let effective: EffectiveSnapshot
    package let isDraft: Bool

    /// - Parameter drafts: what the link shows. Other drafts count as not published.
    package init(for client: Client, in snapshot: AppSnapshot, publishing drafts: [Draft]) {
        let published = snapshot.publishing(drafts, numbered: VersionTag.draftRevision)
        let effective = published.effective(for: client.build.version, client.audience)
        let shown = effective.effective.map { SetName(version: $0.version, audience: effective.audience) }
        self.effective = effective
        isDraft = drafts.contains { SetName($0) == shown }
    }
}

extension PreviewLink {
    /// The drafts that may be in effect for a client if they were published: of the client's audience, and of the default one.
    /// - Parameter draft: reads the audience's draft with the greatest version that is not above the given one.
    package func drafts(
        for client: Client, _ draft: (AppVersion, Audience) throws(Failure) -> Draft?
    ) throws(Failure) -> [Draft] {
        var drafts: [Draft] = []
        for served in Set([client.audience, .default]) where audience == nil || audience == served {
            guard let found = try draft(version ?? client.build.version, served) else { continue }
            if version == nil || version == found.version { drafts.append(found) }
        }
        return drafts
    }
}
