import Service
import Storage

extension Export {
    /// The same bytes as `GET /admin/v1/export`.
    func exportOfDatabase() throws -> [UInt8] {
        try source.local.name().openExistingStore().archive(within: .all).json.prettyPrinted
    }
}
