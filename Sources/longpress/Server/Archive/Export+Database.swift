import Files
import QuickActions
import Service
import Shortcuts
import Storage

extension Export {
    /// The same bytes as `GET /admin/v1/export`.
    func exportOfDatabase(_ apps: [AppID], to write: @escaping ([UInt8]) throws(FileRefusal) -> Void) throws {
        var selection = ArchiveSelection()
        selection.apps = Set(apps)
        selection.leavesHistoryOut = history == .none
        try source.local.name().openExistingStore().export(selection) { bytes throws(Failure) in
            do throws(FileRefusal) {
                try write(bytes)
            } catch {
                throw Failure(.internalError, error.description)
            }
        }
    }
}
