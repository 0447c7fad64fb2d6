import Foundation

/// A file that is made in the folder where it is to appear: whole or not at all, and there after a power cut once it has appeared.
///
/// Its own name goes with the value, whatever became of it.
package struct PartialFile: ~Copyable {
    package let path: String
    private let target: String

    /// Empty, for its owner's eyes only.
    package init(for target: String) throws(FileRefusal) {
        self.target = target
        path = Self.folder(of: target) + "/.longpress-\(UUID().uuidString).partial"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileRefusal(target, cannotBe: "written") }
        close(descriptor)
    }

    deinit {
        unlink(path)
    }

    package func write(_ bytes: [UInt8], permissions: mode_t) throws(FileRefusal) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileRefusal(target, cannotBe: "written") }
        defer { close(descriptor) }
        try FileBytes.write(bytes, to: descriptor, named: target)
        guard fchmod(descriptor, permissions) == 0 else { throw FileRefusal(target, cannotBe: "written") }
    }

    /// Appears where nothing stands: a link, unlike a rename, never replaces what came to be there meanwhile.
    package func appear() throws(FileRefusal) {
        try Self.synchronize(path)
        guard link(path, target) == 0 else { throw FileRefusal(target, cannotBe: "written") }
        try Self.synchronize(Self.folder(of: target))
    }

    /// Takes the place of what stands there, in one step.
    package func replace() throws(FileRefusal) {
        try Self.synchronize(path)
        guard rename(path, target) == 0 else { throw FileRefusal(target, cannotBe: "written") }
        try Self.synchronize(Self.folder(of: target))
    }

    /// Makes a file, or a folder's entries, outlast a power cut.
    package static func synchronize(_ path: String) throws(FileRefusal) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileRefusal(path, cannotBe: "synchronized") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileRefusal(path, cannotBe: "synchronized") }
    }

    package static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
}

extension FileBytes {
    /// Replaces a file, or makes it: a reader, a kill or a power cut meets the former bytes or these. A device or a pipe is written
    /// to, and a symbolic link is followed.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileRefusal) {
        var status = stat()
        let exists = stat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFREG else { return try write(bytes, intoSpecialFile: path) }
        let target = exists ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
        let file = try PartialFile(for: target)
        try file.write(bytes, permissions: exists ? status.st_mode & 0o7777 : 0o666 & ~processMask)
        try file.replace()
    }

    private static func write(_ bytes: [UInt8], intoSpecialFile path: String) throws(FileRefusal) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileRefusal(path, cannotBe: "written") }
        defer { close(descriptor) }
        try write(bytes, to: descriptor, named: path)
    }

    /// umask(2) can only be read by setting it.
    private static var processMask: mode_t {
        let mask = umask(0o077)
        umask(mask)
        return mask
    }
}
