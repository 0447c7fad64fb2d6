import Files
import Glibc

/// The program's streams: results go to standard output, messages to standard error. Nothing is kept back in a buffer.
package enum Terminal {
    /// A result and a line break.
    package static func print(_ text: String) throws(FileRefusal) {
        try write(Array("\(text)\n".utf8))
    }

    /// A result. One that cannot be written is an error: half of it would be taken for all.
    package static func write(_ bytes: [UInt8]) throws(FileRefusal) {
        try FileBytes.write(bytes, to: STDOUT_FILENO, named: "Standard output")
    }

    /// A message, or a line of the log. One that cannot be written is no reason to stop.
    package static func tell(_ text: String) {
        try? FileBytes.write(Array(text.utf8), to: STDERR_FILENO, named: "Standard error")
    }

    /// Everything that is sent to standard input, of at most so many bytes.
    package static func input(atMost limit: Int) throws(FileRefusal) -> [UInt8] {
        try FileBytes.read(STDIN_FILENO, named: "Standard input", atMost: limit)
    }
}
