import Files
import Foundation
import GRDB

extension SQLiteDatabase {
    /// Copies a database, of one moment and defragmented, while others read and write it. The destination appears whole
    /// or not at all, for its owner's eyes only: it holds signing secrets.
    package static func backup(_ source: String, to destination: String) throws(BackupRefusal) {
        let files = FileManager.default
        guard files.fileExists(atPath: source) else {
            throw BackupRefusal("There is no database at \(source).")
        }
        guard !files.fileExists(atPath: destination) else {
            throw BackupRefusal("\(destination) exists and was not touched. Name a file that does not exist yet.")
        }
        do {
            let file = try PartialFile(for: destination)
            try copy(source, intoEmptyFile: file.path)
            try file.appear()
        } catch let error as FileRefusal {
            throw BackupRefusal("\(source) was not copied. \(error)")
        } catch {
            let reason = (error as? DatabaseError)?.message ?? "the reason is not known"
            throw BackupRefusal(
                "\(source) could not be copied to \(destination) (\(reason)); nothing was left there.", cause: "\(error)")
        }
    }

    /// VACUUM INTO takes an empty file.
    static func copy(_ source: String, intoEmptyFile path: String) throws {
        try withFileForReading(source) { queue in
            try queue.inDatabase { database in try database.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        }
    }
}

/// Why no backup was made.
package struct BackupRefusal: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the files and the way out.
    package let description: String
    /// What went wrong inside, for the log only.
    package let cause: String?

    init(_ description: String, cause: String? = nil) {
        self.description = description
        self.cause = cause
    }
}
