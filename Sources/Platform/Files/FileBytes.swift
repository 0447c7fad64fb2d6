import Foundation

/// Reads and writes whole files with system calls. Foundation's functions end the program if a stream fails, or give no reason.
package enum FileBytes {
    /// Reads the whole file; a pipe or a device is read to its end.
    /// - Parameter limit: in bytes; a larger file is an error.
    package static func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path, cannotBe: "read") }
        defer { close(descriptor) }
        return try read(descriptor, named: path, atMost: limit)
    }

    /// Whether the path names a file, and not a folder, a pipe or a device.
    package static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether the file's mode lets all users read it.
    package static func isReadableByEveryone(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    /// Reads a stream to its end.
    package static func read(_ descriptor: Int32, named name: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = systemRead(descriptor, &buffer)
            if count == 0 { return bytes }
            if count > 0 {
                guard bytes.count + count <= limit else {
                    throw FileError("\(name) is too large. The limit is \(limit >> 20) MiB.")
                }
                bytes += buffer[..<count]
            } else if errno != EINTR {
                throw FileError(name, cannotBe: "read")
            }
        }
    }

    /// Writes all of the bytes to an open descriptor.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = systemWrite(descriptor, rest)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw FileError(name, cannotBe: "written")
            }
        }
    }
}

/// read(2) and write(2) under other names, because `FileBytes` has functions with these names.
private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int { read(descriptor, &buffer, buffer.count) }

private func systemWrite(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}

/// Why a file could not be read or written.
package struct FileError: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the file and the reason.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// For a failed system call: `menus.json cannot be written: No space left on device.`
    /// - Parameter number: the call's `errno`.
    package init(_ path: String, cannotBe done: String, _ number: Int32 = errno) {
        self.init("\(path) cannot be \(done): \(String(cString: strerror(number))).")
    }
}
