import Glibc

/// A system call that failed, and why.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    package let call: String
    package let errno: Int32

    package init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The error that the thread's `errno` tells. Read it before anything else is called.
    init(last call: String) {
        self.init(call: call, errno: Glibc.errno)
    }

    package var description: String {
        "\(call): \(String(cString: strerror(errno)))"
    }
}

/// `result`, unless it is the -1 of a failed call.
@discardableResult
func check(_ call: String, _ result: Int32) throws(SystemError) -> Int32 {
    guard result != -1 else { throw SystemError(last: call) }
    return result
}
