import Glibc

/// A failed system call with its errno.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    package let call: String
    package let errno: Int32

    package init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The thread's current `errno`. Must be read before the next call overwrites it.
    init(last call: String) {
        self.init(call: call, errno: Glibc.errno)
    }

    package var description: String {
        "\(call): \(String(cString: strerror(errno)))"
    }
}

/// Returns `result`. Throws if it is -1, which means that the call failed.
@discardableResult
func check(_ call: String, _ result: Int32) throws(SystemError) -> Int32 {
    guard result != -1 else { throw SystemError(last: call) }
    return result
}
