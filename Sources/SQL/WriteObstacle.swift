/// Why writes cannot be had.
package enum WriteObstacle: Equatable, Sendable {
    /// A file is gone, another one, or may not be written. It holds for as long as the files are so.
    case files(String)
    /// What the last write met, such as a full disk. Whether it has passed is only known after another write.
    case lastWrite(String)

    /// A sentence for the log; it names files.
    package var reason: String {
        switch self {
        case .files(let reason), .lastWrite(let reason): reason
        }
    }
}
