import Files
import Foundation
import SQL
import Shortcuts
import Storage
import StorageSQLite

/// What is done to a database from the command line, also while the service runs on it.
package struct Maintenance {
    let path: DatabasePath

    package init(_ path: DatabasePath) {
        self.path = path
    }

    package func migrate() throws {
        _ = try path.open()
    }

    package func backup(to destination: String) throws {
        try SQLiteDatabase.backup(path.description, to: destination)
    }

    /// Puts a backup in the database's place.
    /// - Returns: what was done, in sentences.
    package func restore(_ copy: String) throws -> String {
        let restored = try SQLiteDatabase.restore(copy, to: path.description, clock: SystemClock()) { connection throws(Failure) in
            try Store.prepareRestored(connection, by: author)
        }
        let former = restored.former.map { " What was there is at \($0)." } ?? ""
        return "\(copy) is at \(path) now; revision numbers go on \(Store.revisionsSkipped) higher.\(former)"
    }

    /// Everything but secrets, as `GET /admin/v1/export` answers it.
    package func export() throws -> [UInt8] {
        try existingStore().archive(within: .all).json.encodedInLines
    }

    /// Where the export is at `destination` when this returns, it is there after a power cut.
    package func export(to destination: String) throws {
        try FileBytes.write(export(), to: destination)
    }

    /// - Parameters:
    ///   - file: the path of an export, or `-` for standard input.
    ///   - replacing: apps that are there become what the export says.
    ///   - isRehearsal: looks whether it can be done and writes nothing.
    /// - Returns: what it brought or would bring, an app a line, and what it replaced.
    package func bring(fileAt file: String, replacing: Bool, isRehearsal: Bool) throws -> [String] {
        let archive = try Self.archive(fileAt: file)
        // Where there is no database there is nothing in the way, and a rehearsal makes none.
        var replaced: [Replacement] = []
        if !isRehearsal || FileManager.default.fileExists(atPath: path.description) {
            replaced = try store().bring(archive, replacing: replacing, isRehearsal: isRehearsal, by: author)
        }
        return archive.apps.map { app in
            "\(app.app.id)  \(counted(app.sets.count, "set")), \(counted(app.drafts.count, "draft")), "
                + "\(counted(app.releases.count, "release")), revisions to \(app.history.lastRevision)"
        } + replaced.map(\.sentence)
    }

    private static func archive(fileAt file: String) throws -> Archive {
        let limit = 64 << 20
        let name = file == "-" ? "Standard input" : file
        let document = try file == "-" ? Terminal.input(atMost: limit) : FileBytes.read(file, atMost: limit)
        do throws(Failure) {
            return try ArchiveDocument(try JSONReader.read(document, named: name)).checked()
        } catch {
            guard !error.violations.isEmpty else { throw error }
            throw FileRefusal(error.violations.map { "\(name): \($0.message)" }.joined(separator: "\n"))
        }
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// For what needs a store that is there.
    func existingStore() throws(OpeningRefusal) -> Store {
        store(try path.openExisting())
    }

    func store() throws(OpeningRefusal) -> Store {
        store(try path.open())
    }

    private func store(_ database: any SQLDatabase) -> Store {
        Store(database, announcer: Announcer(publicURL: "", makeID: Randomness.id), identifiers: Randomness.id)
    }

    var author: Author {
        Author(token: "command-line", address: "local", request: Randomness.requestID(), at: SystemClock().now())
    }
}

/// What went wrong, in sentences for a terminal.
package func explanation(of error: any Error) -> String {
    guard let failure = error as? Failure else {
        // Foundation's errors describe themselves for programmers.
        return error is CocoaError || error is POSIXError ? error.localizedDescription : "\(error)"
    }
    return failure.violations.isEmpty ? failure.detail : failure.violations.map(\.message).joined(separator: "\n")
}
