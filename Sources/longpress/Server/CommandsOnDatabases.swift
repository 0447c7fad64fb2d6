import ArgumentParser
import Platform
import QuickActions
import Service
import Shortcuts
import Storage

extension Export {
    /// The same bytes as `GET /admin/v1/export`.
    func exportOfDatabase(_ apps: [AppID], to write: @escaping ([UInt8]) throws(FileError) -> Void) throws {
        var selection = ArchiveSelection()
        selection.apps = Set(apps)
        selection.leavesHistoryOut = history == .none
        try source.local.name().openExistingStore().export(selection) { bytes throws(Failure) in
            do throws(FileError) {
                try write(bytes)
            } catch {
                throw Failure(.internalError, error.description)
            }
        }
    }
}

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
            throw FileError(error.violations.map { "\(name): \($0.message)" }.joined(separator: "\n"))
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
            + "last revision \(history.lastRevision)"
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension Bundle {
    /// Only reads the database.
    func bundleOfDatabase(_ release: NamedRelease) throws -> [UInt8] {
        guard let snapshot = try source.local.name().reader().snapshot(of: release.app) else { throw Failure.unknownApp(release.app) }
        let document =
            audience == nil
            ? AudienceBundles(for: release.id, in: snapshot)?.json : OfflineBundle(for: release.id, release.audience, in: snapshot)?.json
        guard let document else {
            throw Failure(
                .noShortcutSet, "No set of \(release.app) is in effect for version \(release.id.version), so there is nothing to bundle.")
        }
        return document.encodedLine
    }
}

extension Check {
    /// Only reads the database.
    func answerOfDatabase(_ question: JSON, about app: AppID) throws -> JSON {
        try source.local.name().reader().check(question, of: app).json
    }
}

extension Search {
    /// Only reads the database.
    func searchDatabase(_ text: String, in app: AppID?, print: ([JSON]) throws -> Void) throws {
        let (reader, words) = (try source.local.name().reader(), try SearchWords(text))
        var cursor: String?
        repeat {
            let page = try reader.search(words, within: app.map { .apps([$0]) } ?? .all, PageRequest(limit: 200, cursor: cursor))
            try print(page.items.map(\.json))
            cursor = page.next
        } while cursor != nil
    }
}

func isOfConfiguration(_ error: any Error) -> Bool { error is ConfigurationError }

/// The sentences of a domain failure; nil for other errors.
func explanationOfServer(_ error: any Error) -> String? {
    guard let failure = error as? Failure else { return nil }
    // A command has no log, so the store's cause is printed.
    let detail = failure.cause.map { "\(failure.detail) (\($0))" } ?? failure.detail
    return failure.violations.isEmpty ? detail : failure.violations.map(\.message).joined(separator: "\n")
}
