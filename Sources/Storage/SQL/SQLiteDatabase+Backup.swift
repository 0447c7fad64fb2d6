import Foundation
import GRDB
import Shortcuts

extension SQLiteDatabase {
    /// Copies a database, of one moment and defragmented, while others read and write it. The destination appears whole
    /// or not at all.
    static func backup(_ source: String, to destination: String) throws(BackupRefusal) {
        let files = FileManager.default
        guard files.fileExists(atPath: source) else {
            throw BackupRefusal("There is no database at \(source).")
        }
        guard !files.fileExists(atPath: destination) else {
            throw BackupRefusal("\(destination) exists and was not touched. Name a file that does not exist yet.")
        }
        let target = URL(fileURLWithPath: destination)
        let folder = target.deletingLastPathComponent()
        let partial = folder.appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString).partial")
        defer { try? files.removeItem(at: partial) }
        do {
            // For its owner's eyes only: it holds signing secrets. VACUUM INTO takes an empty file.
            try Data().write(to: partial, options: .withoutOverwriting)
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: partial.path)
            try fileForReading(source).inDatabase { database in
                try database.execute(sql: "VACUUM INTO ?", arguments: [partial.path])
            }
            try synchronize(partial)
            // A link, unlike a rename, never replaces what came to be there meanwhile.
            try files.linkItem(at: partial, to: target)
            try synchronize(folder)
        } catch {
            throw BackupRefusal(
                "\(source) could not be copied to \(destination); nothing was left there.", cause: "\(error)")
        }
    }

    /// Makes a file, or a folder's entries, last.
    private static func synchronize(_ url: URL) throws {
        let handle = try FileHandle(forReadingFrom: url)
        try handle.synchronize()
        try handle.close()
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
