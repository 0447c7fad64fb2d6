import Foundation

/// A temporary file in the target's folder. The target appears complete or not at all, and survives a power failure after `createTarget` or
/// `replaceTarget` has returned.
///
/// The temporary name is unlinked when the value ends.
package struct PartialFile: ~Copyable {
    package let path: String
    private let target: String

    /// Creates an empty file with mode 0600.
    package init(for target: String) throws(FileError) {
        self.target = target
        path = Self.folder(of: target) + "/.longpress-\(UUID().uuidString).partial"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(target, cannotBe: "written") }
        close(descriptor)
    }

    deinit {
        unlink(path)
    }

    package func write(_ bytes: [UInt8], permissions: mode_t) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(target, cannotBe: "written") }
        defer { close(descriptor) }
        try FileBytes.write(bytes, to: descriptor, named: target)
        guard fchmod(descriptor, permissions) == 0 else { throw FileError(target, cannotBe: "written") }
    }

    /// Creates the target with link(2), which, unlike rename(2), fails if the target exists. If this throws, it was not created.
    package func createTarget() throws(FileError) {
        try Self.synchronize(path)
        guard link(path, target) == 0 else { throw FileError(target, cannotBe: "written") }
        do {
            try Self.synchronize(Self.folder(of: target))
        } catch {
            unlink(target)
            throw error
        }
    }

    /// Replaces the target atomically with rename(2). If this throws, the target may have been replaced: `moveToTarget` tells.
    package func replaceTarget() throws(FileError) {
        try moveToTarget()
        try synchronizeFolder()
    }

    /// Replaces the target atomically. After a power failure, its name may be that of the previous file until `synchronizeFolder`.
    package func moveToTarget() throws(FileError) {
        try Self.synchronize(path)
        guard rename(path, target) == 0 else { throw FileError(target, cannotBe: "written") }
    }

    package func synchronizeFolder() throws(FileError) { try Self.synchronize(Self.folder(of: target)) }

    /// Flushes a file, or a folder's entries, to the disk with fsync(2).
    package static func synchronize(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path, cannotBe: "synchronized") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileError(path, cannotBe: "synchronized") }
    }

    package static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
}

extension FileBytes {
    /// Creates a file or replaces it atomically: readers, and a start after a crash, see either the old or the new bytes. A device or a
    /// pipe is written to, and a symbolic link is followed.
    /// - Parameter produce: calls its argument with each part of the bytes.
    package static func write(to path: String, _ produce: (_ write: @escaping ([UInt8]) throws(FileError) -> Void) throws -> Void) throws {
        var status = stat()
        let exists = stat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFREG else { return try write(into: path, named: path, produce) }
        let target = exists ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
        let file = try PartialFile(for: target)
        try write(into: file.path, named: target, produce)
        try file.write([], permissions: exists ? status.st_mode & 0o7777 : 0o666 & ~processMask)
        try file.replaceTarget()
    }

    /// - Parameter name: the name of the file, for messages.
    private static func write(
        into path: String, named name: String, _ produce: (_ write: @escaping ([UInt8]) throws(FileError) -> Void) throws -> Void
    ) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(name, cannotBe: "written") }
        defer { close(descriptor) }
        try produce { bytes throws(FileError) in try write(bytes, to: descriptor, named: name) }
    }

    /// umask(2) can only be read by setting it.
    private static var processMask: mode_t {
        let mask = umask(0o077)
        umask(mask)
        return mask
    }
}
