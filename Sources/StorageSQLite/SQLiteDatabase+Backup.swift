import Files
import Foundation
import GRDB

extension SQLiteDatabase {
    /// Copies one snapshot of a database, defragmented, while other connections read and write it. The destination appears complete or not
    /// at all. It has mode 0600, because it contains signing secrets.
    package static func backup(_ source: String, to destination: String) throws(BackupRefusal) {
        let files = FileManager.default
        guard files.fileExists(atPath: source) else {
            throw BackupRefusal("There is no database at \(source).")
        }
        guard !files.fileExists(atPath: destination) else {
            throw BackupRefusal("\(destination) already exists and was not changed. Name a new file.")
        }
        do {
            let file = try PartialFile(for: destination)
            try copy(source, intoEmptyFile: file.path)
            try file.createTarget()
        } catch let error as FileRefusal {
            throw BackupRefusal("\(source) was not copied. \(error)")
        } catch {
            let reason = (error as? DatabaseError)?.message ?? "unknown reason"
            throw BackupRefusal(
                "\(source) could not be copied to \(destination) (\(reason)). No file was created.", cause: "\(error)")
        }
    }

    /// VACUUM INTO writes to an empty file or a new one (sqlite.org/lang_vacuum.html).
    static func copy(_ source: String, intoEmptyFile path: String) throws {
        try withFileForReading(source) { queue in
            try queue.inDatabase { database in try database.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        }
    }
}

/// Why the backup failed.
package struct BackupRefusal: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the files and the remedy.
    package let description: String
    /// The underlying error, for the log only.
    package let cause: String?

    package init(_ description: String, cause: String? = nil) {
        self.description = description
        self.cause = cause
    }
}
