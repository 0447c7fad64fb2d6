import Glibc

/// The only owner of an open file descriptor, which it closes.
struct FileDescriptor: ~Copyable, Sendable {
    let raw: Int32

    init(owning raw: Int32) { self.raw = raw }

    deinit { _ = close(raw) }
}
