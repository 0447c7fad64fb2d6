import QuickActions

/// Releases, each write in one transaction with its event, its deliveries and its audit entry.
package protocol ReleaseStore: Sendable {
    /// In `AppBuild.releaseOrder`.
    func releases(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Release>
    /// - Returns: the release as stored (with the assets that were known, where `keepsAssets`), whether it is new.
    func putRelease(
        _ release: Release, keepsAssets: Bool, of app: AppID, by author: Author, expecting writeCondition: WriteCondition
    ) throws(Failure) -> (release: Release, isNew: Bool)
    /// Without a build: the version's last release. Nil when there is none.
    func release(_ id: AppBuild, of app: AppID) throws(Failure) -> Release?
    /// `unknownResource` when there is none.
    func deleteRelease(_ id: AppBuild, of app: AppID, by author: Author, expecting writeCondition: WriteCondition) throws(Failure)
}
