/// A file that was named and cannot be had.
struct UnreadableFile: Error, CustomStringConvertible {
    let description: String

    init(_ path: String) {
        description = "\(path) cannot be read: check that it is there and that this user may read it."
    }

    init(_ path: String, because reason: String) {
        description = "\(path): \(reason)"
    }
}
