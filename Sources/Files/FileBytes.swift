import Glibc

/// Reading and writing whole files by the calls of the system: Foundation's own end the program where a stream fails, or tell
/// no reason.
package enum FileBytes {
    /// Everything that is in the file; a pipe or a device is read to its end.
    /// - Parameter limit: in bytes. A file with more is refused, and no more of it read.
    package static func read(_ path: String, atMost limit: Int) throws(FileRefusal) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileRefusal(path, cannotBe: "read") }
        defer { close(descriptor) }
        return try read(descriptor, named: path, atMost: limit)
    }

    /// Everything up to the end of a stream.
    package static func read(_ descriptor: Int32, named name: String, atMost limit: Int) throws(FileRefusal) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 {
                guard bytes.count + count <= limit else {
                    throw FileRefusal("\(name) is too large: it may have at most \(limit >> 20) MiB.")
                }
                bytes += buffer[..<count]
            } else if errno != EINTR {
                throw FileRefusal(name, cannotBe: "read")
            }
        }
    }

    /// All of the bytes, to a file or a stream that is open.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(FileRefusal) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw FileRefusal(name, cannotBe: "written")
            }
        }
    }
}
