import Foundation
import Service

/// A file of environment variables that a shell reads with `.`, so that the commands in the documentation can be pasted unchanged: the
/// demo's address, token and database, and the program's PATH. Only its owner can read it. The demo deletes it at its end.
struct ShellSession {
    private let path: String

    /// - Throws: `ConfigurationError` if the file cannot be written.
    init(at path: String, address: String, token: String, database: DatabaseName) throws {
        self.path = path
        let program = Foundation.Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
        let text = """
            # Settings of `longpress demo` for a shell.
            export B=\(quoted("http://\(address)")) TOKEN=\(quoted(token))
            export LONGPRESS_DATABASE=\(quoted(database.description))
            export PATH=\(quoted(program)):"$PATH"

            """
        let files = FileManager.default
        try? files.removeItem(atPath: path)
        guard files.createFile(atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]) else {
            throw ConfigurationError(["--session: \(path) cannot be written. Use a file in a folder that exists."])
        }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Quotes the text as one word of a POSIX shell.
private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
}
