public import Foundation

/// Keeps a client's documents from one launch to the next: three for each app, each less than 17 MiB.
public protocol LongpressStorage: Sendable {
    /// Returns what was last saved under a name, or nil. The client checks for damage itself.
    /// - Parameter name: ASCII letters, digits, dots, underscores and hyphens, so that it can be a file's name.
    func load(_ name: String) -> Data?
    /// Replaces atomically what was saved under a name.
    /// - Throws: any error; the client then goes on without having saved.
    func save(_ data: Data, as name: String) throws
}

/// A directory with a file for each name. A file is replaced atomically, by renaming a new one.
public struct DirectoryStorage: LongpressStorage {
    fileprivate let directory: URL

    /// Creates a storage.
    /// - Parameter directory: is created when the first file is saved.
    public init(directory: URL) {
        self.directory = directory
    }

    /// The contents of a file; nil if it cannot be read.
    public func load(_ name: String) -> Data? {
        try? Data(contentsOf: file(name))
    }

    /// Writes a file.
    /// - Throws: Foundation's error, if the directory cannot be created or written.
    public func save(_ data: Data, as name: String) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try data.write(to: file(name), options: .atomic)
    }

    private func file(_ name: String) -> URL { directory.appending(path: name) }
}

extension LongpressStorage where Self == DirectoryStorage {
    /// The directory `Longpress` in the user's caches. The system may empty it; then the menu is fetched again.
    public static var caches: DirectoryStorage {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return DirectoryStorage(directory: (caches ?? FileManager.default.temporaryDirectory).appending(path: "Longpress"))
    }

    /// A directory that the app chooses.
    public static func directory(_ url: URL) -> DirectoryStorage {
        DirectoryStorage(directory: url)
    }

    /// A directory in the container of an app group, which the app and its extensions share. Without the entitlement for the group, and on
    /// Linux, it is a directory in the app's own caches.
    /// - Parameter identifier: such as `group.com.example.mail`.
    public static func appGroup(_ identifier: String) -> DirectoryStorage {
        #if canImport(Darwin)
            let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
            if let container { return DirectoryStorage(directory: container.appending(path: "Library/Caches/Longpress")) }
        #endif
        return DirectoryStorage(directory: caches.directory.appending(path: identifier))
    }
}
