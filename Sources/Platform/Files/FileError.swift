import Foundation

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
