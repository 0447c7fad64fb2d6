import Foundation
import Logging
import Platform
import QuickActions
import Shortcuts
import Storage

extension Service {
    private static let firstTokenLife = Duration.seconds(24 * 3600)

    /// Creates an owner token if no token is configured and no stored token gives access. On a terminal it prints the token. Otherwise it
    /// writes the token to a file, because other people may read the log of standard error.
    ///
    /// After a crash, the token may be stored and its secret lost. The next start replaces an unused token.
    func makeFirstToken() throws {
        guard !hasConfiguredToken, try store.needsFirstToken() else { return }
        let now = store.clock.now()
        let end = now + min(Self.firstTokenLife, configuration.maxTokenAge ?? Self.firstTokenLife)
        let input = TokenRequest(name: Token.firstName, role: .owner, scope: .all, expiresAt: end)
        let made = NewToken(
            input, id: TokenID(Randomness.id()), secretBytes: Randomness.bytes(32), createdBy: Token.firstStart, at: now)
        let author = Author(token: Token.firstStart.description, address: "local", request: Randomness.requestID(), at: now)
        guard isatty(STDERR_FILENO) == 0 else {
            guard try store.createFirstToken(made.token, by: author) else { return }
            let text = "Owner token, valid until \(end.shortText) and shown only once: \(made.secret)\n"
            return try FileBytes.write(Array(text.utf8), to: STDERR_FILENO, named: "Standard error")
        }
        let path = configuration.database.firstTokenPath(in: ProcessInfo.processInfo.environment)
        do {
            // Before the token is stored: without a file, there must be no token.
            let file = try PartialFile(for: path)
            try file.write(Array("\(made.secret)\n".utf8), permissions: 0o600)
            guard try store.createFirstToken(made.token, by: author) else { return }
            do {
                try file.replaceTarget()
            } catch {
                try store.revokeToken(made.token.id, by: author)
                throw error
            }
        } catch let error as FileError {
            throw FileError(
                "\(error) It is the file for the first owner token. Make its folder writable, or set a token with --admin-token-file.")
        }
        logger.notice("created an owner token", metadata: ["file": "\(path)", "expires": "\(end.shortText)"])
    }
}

extension DatabaseName {
    /// For SQLite, next to the database. For PostgreSQL, in the state directory of systemd, otherwise in the working directory.
    func firstTokenPath(in environment: [String: String]) -> String {
        switch self {
        case .sqlite: return "\(fullDescription).\(Token.firstName)"
        case .postgres:
            // Several folders are separated by colons (systemd.exec(5)).
            let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
            return (folder ?? FileManager.default.currentDirectoryPath) + "/longpress.\(Token.firstName)"
        }
    }
}
