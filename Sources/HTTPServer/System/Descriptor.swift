import Glibc

/// A file descriptor with one owner, closed when the owner lets go.
struct Descriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}
