import Glibc

/// A system call that failed: its name and errno, taken at once.
package struct SystemError: Error, Sendable, CustomStringConvertible {
    package let call: String
    package let errno: Int32

    package var description: String { "\(call): \(String(cString: strerror(errno)))" }
}

/// The result of a call that says -1 when it fails.
@discardableResult
func checked(_ call: String, _ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(call: call, errno: errno) }
    return result
}
