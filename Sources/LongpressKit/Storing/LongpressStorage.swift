public import Foundation

/// Keeps a client's documents between launches: three for each app, each less than 17 MiB.
public protocol LongpressStorage: Sendable {
    /// Returns the data that was last saved under a name, or nil. The client checks the data for damage.
    /// - Parameter name: ASCII letters, digits, dots, underscores and hyphens, so that it can be a file's name.
    func load(_ name: String) -> Data?
    /// Saves data under a name. It replaces earlier data atomically.
    /// - Throws: any error. The client then continues without the saved data.
    func save(_ data: Data, as name: String) throws
}

/// A directory with a file for each name. It replaces a file atomically, by renaming a new one.
public struct DirectoryStorage: LongpressStorage {
    fileprivate let directory: URL

    /// Creates a storage.
    /// - Parameter directory: created when the first file is saved.
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
    /// The directory `Longpress` in the user's caches. If the system empties it, the client fetches the menu again.
    public static var caches: DirectoryStorage {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return DirectoryStorage(directory: (caches ?? FileManager.default.temporaryDirectory).appending(path: "Longpress"))
    }

    /// A directory that the app chooses.
    public static func directory(_ url: URL) -> DirectoryStorage {
        DirectoryStorage(directory: url)
    }

    /// A directory in the container of an app group, which the app and its extensions share. Without the entitlement for the group, and on
    /// Linux, this is a directory in the app's own caches.
    /// - Parameter identifier: such as `group.com.example.mail`.
    public static func appGroup(_ identifier: String) -> DirectoryStorage {
        #if canImport(Darwin)
            let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
            if let container { return DirectoryStorage(directory: container.appending(path: "Library/Caches/Longpress")) }
        #endif
        return DirectoryStorage(directory: caches.directory.appending(path: identifier))
    }
}
