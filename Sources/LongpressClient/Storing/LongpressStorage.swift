public import Foundation

/// Where the client keeps what it knows from one launch to the next: a few documents by name, each below 17 MiB.
public protocol LongpressStorage: Sendable {
    /// - Parameter name: ASCII letters, digits, dots, underscores and hyphens; good for a file's name.
    /// - Returns: what was saved last under the name, or nil. What is damaged is told by the client itself.
    func load(_ name: String) -> Data?
    /// Replaces what was saved under the name, all of it or nothing.
    func save(_ data: Data, as name: String) throws
}

/// A directory that holds a file for each name, written beside it and renamed.
public struct DirectoryStorage: LongpressStorage {
    fileprivate let directory: URL

    /// - Parameter directory: made when the first file is saved.
    public init(directory: URL) {
        self.directory = directory
    }

    /// The file's bytes; nil where it cannot be read.
    public func load(_ name: String) -> Data? {
        try? Data(contentsOf: file(name))
    }

    /// - Throws: Foundation's error where the directory cannot be made or written.
    public func save(_ data: Data, as name: String) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try data.write(to: file(name), options: .atomic)
    }

    private func file(_ name: String) -> URL { directory.appending(path: name) }
}

extension LongpressStorage where Self == DirectoryStorage {
    /// `Longpress` in the user's caches: what is lost there is fetched anew.
    public static var caches: DirectoryStorage {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return DirectoryStorage(directory: (caches ?? FileManager.default.temporaryDirectory).appending(path: "Longpress"))
    }

    /// A directory of the app's own.
    public static func directory(_ url: URL) -> DirectoryStorage {
        DirectoryStorage(directory: url)
    }

    /// A directory in the container of an app group, which the app and its extensions share. Where the app may not use the group, and
    /// where there are no groups, it is one in the app's own caches.
    /// - Parameter identifier: `group.com.example.mail`.
    public static func appGroup(_ identifier: String) -> DirectoryStorage {
        #if canImport(Darwin)
            let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
            if let container { return DirectoryStorage(directory: container.appending(path: "Library/Caches/Longpress")) }
        #endif
        return DirectoryStorage(directory: caches.directory.appending(path: identifier))
    }
}
