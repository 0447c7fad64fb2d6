import Foundation
import QuickActions
import Remote

/// A person's editor, as git uses it: `VISUAL`, else `EDITOR`, a command for the shell.
struct Editor {
    private let command: String

    /// - Throws: a sentence if neither variable is set.
    init(in environment: [String: String] = ProcessInfo.processInfo.environment) throws(RemoteFailure) {
        guard let command = [environment["VISUAL"], environment["EDITOR"]].compactMap({ $0 }).first(where: { !$0.isEmpty }) else {
            throw RemoteFailure("No editor is set. Set VISUAL or EDITOR, for example EDITOR=nano.")
        }
        self.command = command
    }

    /// Opens a file and waits until the editor ends.
    /// - Throws: a sentence if the editor cannot be started or fails.
    func edit(_ path: String) throws(RemoteFailure) {
        let status = try Self.run("/bin/sh", ["sh", "-c", "\(command) \"$@\"", command, path])
        // The two kinds of a status of waitpid: an exit, or a signal in the lowest seven bits.
        let (signal, code) = (status & 0x7F, (status >> 8) & 0xFF)
        guard signal == 0 else { throw RemoteFailure("The editor \(quoted(command)) was ended by signal \(signal).") }
        guard code == 0 else { throw RemoteFailure("The editor \(quoted(command)) ended with status \(code).") }
    }

    /// Not with `Process`: Foundation starts it in the background of the terminal, where an editor cannot read.
    private static func run(_ program: String, _ arguments: [String]) throws(RemoteFailure) -> Int32 {
        let words = arguments.map { strdup($0) } + [nil]
        let variables = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, program, nil, nil, words, variables)
        guard error == 0 else { throw RemoteFailure("\(program) cannot be started: \(String(cString: strerror(error))).") }
        // Ctrl-C is for the editor.
        let previous = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, previous) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status
    }
}

/// A document in a new folder that only its owner can read.
struct EditedFile {
    /// The limit of the service for a set, in bytes.
    static let limit = 1 << 20

    let path: String
    private let folder: String
    private let original: [UInt8]

    /// - Parameter name: of the file, for the editor's title.
    init(_ name: String, _ content: [UInt8]) throws(RemoteFailure) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("longpress-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw RemoteFailure("\(folder) cannot be created: \(error.localizedDescription)")
        }
        self.folder = folder
        path = "\(folder)/\(name)"
        original = content
        try LocalFile.write(content, to: path)
    }

    /// False if the file cannot be read.
    var isUnchanged: Bool { (try? LocalFile.read(path, atMost: Self.limit)) == original }

    func remove() throws(RemoteFailure) { try LocalFile.remove(folder) }
}
