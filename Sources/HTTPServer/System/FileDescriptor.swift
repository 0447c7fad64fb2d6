import Glibc

/// An open file descriptor and its only owner: it is closed when this goes.
struct FileDescriptor: ~Copyable, Sendable {
    let raw: Int32

    init(owning raw: Int32) { self.raw = raw }

    deinit { _ = close(raw) }
}
