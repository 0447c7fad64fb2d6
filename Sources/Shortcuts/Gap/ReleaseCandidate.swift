import QuickActions

/// A release that is about to go out, as a gate knows it: its Info.plist, its assets, or only its version.
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

    /// The release as it would stand: what is given, else what is stored of the version.
    /// - Throws: what is wrong with the Info.plist.
    func release(in snapshot: AppSnapshot) throws(Failure) -> Release? {
        let stored = storedRelease(in: snapshot)
        if let infoPlist {
            let read = try InfoPlist(infoPlist).release(id, of: snapshot.app.id)
            return read.with(assets ?? stored?.assets)
        }
        // A version of which nothing is known has the static items of the one before.
        let nearest = stored ?? snapshot.release(for: id)
        guard let assets else { return nearest }
        if let stored { return stored.with(assets) }
        return Release(
            id: id, staticItems: nearest?.staticItems ?? [], urlSchemes: [], assets: assets, minimumOSVersion: nil,
            displayName: nearest?.displayName)
    }

    /// Without a plist, given or stored, the version's URL schemes are not known.
    func knowsSchemes(in snapshot: AppSnapshot) -> Bool {
        infoPlist != nil || assets == nil || storedRelease(in: snapshot) != nil
    }

    private func storedRelease(in snapshot: AppSnapshot) -> Release? {
        snapshot.release(for: id).flatMap { $0.id.version == id.version ? $0 : nil }
    }
}
