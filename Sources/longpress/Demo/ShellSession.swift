import Foundation
import Service

/// A file that a shell reads with `.`, so that what the documents show can be pasted as it stands: where the demonstration is
/// reached, its token, its database, and the program on the PATH. It is for its owner only and goes with the demonstration.
struct ShellSession {
    private let path: String

    /// - Throws: `ConfigurationError` where the file cannot be written.
    init(at path: String, address: ListenAddress, token: String, database: DatabasePath) throws {
        self.path = path
        let program = Foundation.Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
        let text = """
            # Of `longpress demo`, for the shell that tries it.
            export B=\(quoted("http://\(address)")) TOKEN=\(quoted(token))
            export LONGPRESS_DATABASE=\(quoted(database.description))
            export PATH=\(quoted(program)):"$PATH"

            """
        let files = FileManager.default
        try? files.removeItem(atPath: path)
        guard files.createFile(atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]) else {
            throw ConfigurationError(["--session: \(path) cannot be written. Name a file in a folder that is there."])
        }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// As one word for a shell.
private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
}
