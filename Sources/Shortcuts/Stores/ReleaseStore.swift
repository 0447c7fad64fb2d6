import QuickActions

/// Releases. Every write is one transaction with its event, its deliveries and its audit entry.
package protocol ReleaseStore: Sendable {
    /// In `AppBuild.releaseOrder`.
    func releases(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Release>
    /// Creates or replaces a release.
    /// - Parameter keepsAssets: whether a release without assets keeps the stored ones.
    func putRelease(
        _ release: Release, keepsAssets: Bool, of app: AppID, by author: Author, expecting writeCondition: WriteCondition
    ) throws(Failure) -> ReleaseReceipt
    /// Without a build, the version's last release.
    func release(_ id: AppBuild, of app: AppID) throws(Failure) -> Release?
    /// - Throws: `unknownResource`, `preconditionFailed`.
    func deleteRelease(
        _ id: AppBuild, of app: AppID, by author: Author, expecting writeCondition: WriteCondition
    ) throws(Failure) -> ReleaseEffect
}
