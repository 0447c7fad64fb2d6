public import Foundation

/// Keeps a client's documents between launches: six for each app, each less than 17 MiB.
public protocol LongpressStorage: Sendable {
    /// Returns the data that was last saved under a name, or nil. The client checks the data for damage.
    /// - Parameter name: ASCII letters, digits, dots, underscores and hyphens, so that it can be a file's name. The names of documents that
    ///   cannot be fetched again end with `.audience`, `.taps` and `.installation`. Keep `.installation` out of backups.
    func load(_ name: String) -> Data?
    /// Saves data under a name. It replaces earlier data atomically.
    /// - Throws: any error. The client then continues without the saved data.
    func save(_ data: Data, as name: String) throws
}

/// A directory with a file for each name. It replaces a file atomically, by renaming a new one.
public struct DirectoryStorage: LongpressStorage {
    private let directory: URL
    /// For documents that cannot be fetched again.
    private let lasting: URL
    /// How the name of the file with the installation's id ends.
    private static let installation = ".installation"

    /// Creates a storage.
    /// - Parameters:
    ///   - directory: for all documents, or for those that can be fetched again. Created when the first file is saved.
    ///   - lasting: for documents that cannot be fetched again. The system must not empty it.
    public init(directory: URL, lasting: URL? = nil) {
        self.directory = directory
        self.lasting = lasting ?? directory
    }

    /// The contents of a file; nil if it cannot be read.
    public func load(_ name: String) -> Data? {
        try? Data(contentsOf: file(name))
    }

    /// Writes a file.
    /// - Throws: Foundation's error, if the directory cannot be created or written.
    public func save(_ data: Data, as name: String) throws {
        let file = file(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file, options: .atomic)
        #if canImport(Darwin)
            // A backup would take the id to another device.
            if name.hasSuffix(Self.installation) {
                var (local, values) = (file, URLResourceValues())
                values.isExcludedFromBackup = true
                try local.setResourceValues(values)
            }
        #endif
    }

    private func file(_ name: String) -> URL {
        let lasts = [".audience", ".taps", Self.installation].contains { name.hasSuffix($0) }
        return (lasts ? lasting : directory).appending(path: name)
    }
}

extension LongpressStorage where Self == DirectoryStorage {
    /// The directory `Longpress` in the user's caches, and one in Application Support for documents that cannot be fetched again: the
    /// audience, the counted taps and the installation's id.
    public static var standard: DirectoryStorage { standard("Longpress") }

    /// A directory that the app chooses.
    public static func directory(_ url: URL) -> DirectoryStorage {
        DirectoryStorage(directory: url)
    }

    /// Directories in the container of an app group, which the app and its extensions share. Without the entitlement for the group, and on
    /// Linux, these are directories of the app itself.
    /// - Parameter identifier: such as `group.com.example.mail`.
    public static func appGroup(_ identifier: String) -> DirectoryStorage {
        #if canImport(Darwin)
            if let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier) {
                return DirectoryStorage(
                    directory: container.appending(path: "Library/Caches/Longpress"),
                    lasting: container.appending(path: "Library/Application Support/Longpress"))
            }
        #endif
        return standard("Longpress/\(identifier)")
    }

    private static func standard(_ path: String) -> DirectoryStorage {
        func directory(_ kind: FileManager.SearchPathDirectory) -> URL {
            let found = FileManager.default.urls(for: kind, in: .userDomainMask).first
            return (found ?? FileManager.default.temporaryDirectory).appending(path: path)
        }
        return DirectoryStorage(directory: directory(.cachesDirectory), lasting: directory(.applicationSupportDirectory))
    }
}
