import Foundation
import QuickActions

/// Access to local files, with Foundation only.
package enum LocalFile {
    /// Reads the whole file.
    /// - Parameter limit: in bytes; a larger file is an error.
    package static func read(_ path: String, atMost limit: Int) throws(RemoteFailure) -> [UInt8] {
        let handle: FileHandle
        var bytes: [UInt8] = []
        do {
            handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty, bytes.count <= limit { bytes += part }
        } catch {
            throw RemoteFailure(path, cannotBe: "read", error)
        }
        guard bytes.count <= limit else {
            throw RemoteFailure("\(path) is too large. The limit is \(limit >> 20) MiB.")
        }
        return bytes
    }

    /// Creates the file or replaces it atomically. Creates missing folders.
    package static func write(_ bytes: [UInt8], to path: String) throws(RemoteFailure) {
        let url = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url, options: .atomic)
        } catch {
            throw RemoteFailure(path, cannotBe: "written", error)
        }
    }

    package static func remove(_ path: String) throws(RemoteFailure) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw RemoteFailure(path, cannotBe: "removed", error)
        }
    }

    /// Reads a JSON document from a file.
    package static func json(_ path: String, atMost limit: Int) throws(RemoteFailure) -> JSON {
        try json(read(path, atMost: limit), named: path)
    }

    /// - Parameter name: the name of the file, for the message.
    package static func json(_ bytes: [UInt8], named name: String) throws(RemoteFailure) -> JSON {
        do throws(JSONReader.ParseError) {
            return try JSONReader.read(bytes)
        } catch {
            throw RemoteFailure(error.sentence(name))
        }
    }
}

extension RemoteFailure {
    /// For a Foundation error: `menus.json cannot be read: No such file or directory.`
    init(_ path: String, cannotBe done: String, _ error: any Error) {
        self.init("\(path) cannot be \(done): \(Self.reason(of: error as NSError)).")
    }

    /// The system's text for the POSIX error that underlies a Foundation error.
    private static func reason(of error: NSError) -> String {
        if error.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(truncatingIfNeeded: error.code))) }
        if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { return reason(of: cause) }
        switch CocoaError.Code(rawValue: error.code) {
        case .fileNoSuchFile, .fileReadNoSuchFile: return "No such file or directory"
        case .fileReadNoPermission, .fileWriteNoPermission: return "Permission denied"
        case .fileWriteOutOfSpace: return "No space left on device"
        default:
            return error.localizedDescription.hasSuffix(".") ? String(error.localizedDescription.dropLast()) : error.localizedDescription
        }
    }
}
