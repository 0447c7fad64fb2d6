import Files
import QuickActions
import Service
import Shortcuts
import Storage

extension Import {
    func bringToDatabase(_ document: [UInt8], named name: String) throws -> [String] {
        let archive = try archive(document, named: name)
        let replacements = try replacements(by: archive, in: source.local.name())
        return archive.apps.map(\.summaryLine) + replacements.map(\.sentence)
    }

    private func archive(_ document: [UInt8], named name: String) throws -> Archive {
        do throws(Failure) {
            return try ArchiveDocument(document, named: name, atMost: .max).checked()
        } catch {
            guard !error.violations.isEmpty else { throw error }
            throw FileRefusal(error.violations.map { "\(name): \($0.message)" }.joined(separator: "\n"))
        }
    }

    private func overrideReason() throws(Failure) -> OverrideReason? {
        guard let override else { return nil }
        guard let reason = OverrideReason(override) else { throw Failure(.badRequest, "--override: \(OverrideReason.rule(for: override))") }
        return reason
    }

    private func replacements(by archive: Archive, in database: DatabaseName) throws -> [Replacement] {
        // A dry run does not create a database, and a missing database has no conflicts.
        guard !dryRun || !database.isMissingFile else { return [] }
        return try database.openStore().importArchive(
            archive, replacing: replace, dryRun: dryRun, override: try overrideReason(), by: .commandLine())
    }
}

extension ArchivedApp {
    fileprivate var summaryLine: String {
        "\(app.id)  \(counted(sets.count, "set")), \(counted(drafts.count, "draft")), \(counted(releases.count, "release")), "
            + "revisions to \(history.lastRevision)"
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
