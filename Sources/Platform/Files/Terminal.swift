import Foundation

/// The process's standard streams, unbuffered: results go to standard output, messages to standard error.
package enum Terminal {
    /// Writes a result and a line feed.
    package static func print(_ text: String) throws(FileError) {
        try write(Array("\(text)\n".utf8))
    }

    /// Writes a result. Throws if it cannot be written, because a partial result looks like a complete one.
    package static func write(_ bytes: [UInt8]) throws(FileError) {
        try FileBytes.write(bytes, to: STDOUT_FILENO, named: "Standard output")
    }

    /// Writes a message. Ignores errors.
    package static func printMessage(_ text: String) {
        try? FileBytes.write(Array(text.utf8), to: STDERR_FILENO, named: "Standard error")
    }

    /// Reads standard input to its end.
    /// - Throws: a sentence if it has more than `limit` bytes.
    package static func input(atMost limit: Int) throws(FileError) -> [UInt8] {
        try FileBytes.read(STDIN_FILENO, named: "Standard input", atMost: limit)
    }
}
