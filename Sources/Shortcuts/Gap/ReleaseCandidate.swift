import QuickActions

/// A release before it ships, as described to a release gate: its Info.plist, its assets, or only its version.
package struct ReleaseCandidate: Sendable {
    package let id: AppBuild
    package let audience: Audience
    /// The built Info.plist, XML or binary.
    package let infoPlist: [UInt8]?
    package let assets: Release.Assets?

    package init(id: AppBuild, audience: Audience, infoPlist: [UInt8]?, assets: Release.Assets?) {
        self.id = id
        self.audience = audience
        self.infoPlist = infoPlist
        self.assets = assets
    }

    /// The release to check: the given parts, completed by what is stored for the version.
    /// - Throws: the violations of the Info.plist.
    func release(in snapshot: AppSnapshot) throws(Failure) -> Release? {
        let stored = storedRelease(in: snapshot)
        if let infoPlist {
            let read = try InfoPlist(infoPlist).release(id, of: snapshot.app.id)
            return read.with(assets ?? stored?.assets)
        }
        // A version without a stored release is assumed to have the static items of the release before it.
        let nearest = stored ?? snapshot.release(for: id)
        guard let assets else { return nearest }
        if let stored { return stored.with(assets) }
        return Release(
            id: id, staticItems: nearest?.staticItems ?? [], urlSchemes: [], assets: assets, minimumOSVersion: nil,
            displayName: nearest?.displayName)
    }

    /// Whether the version's URL schemes are known: from a given or stored Info.plist.
    func knowsSchemes(in snapshot: AppSnapshot) -> Bool {
        infoPlist != nil || assets == nil || storedRelease(in: snapshot) != nil
    }

    private func storedRelease(in snapshot: AppSnapshot) -> Release? {
        snapshot.release(for: id).flatMap { $0.id.version == id.version ? $0 : nil }
    }
}
