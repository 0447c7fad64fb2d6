import Glibc

/// The unique owner of an open file descriptor. Closes it.
struct FileDescriptor: ~Copyable, Sendable {
    let raw: Int32

    init(owning raw: Int32) { self.raw = raw }

    deinit { _ = close(raw) }
}
