/// Why writes are impossible.
package enum WriteObstacle: Equatable, Sendable {
    /// A file was deleted or replaced, or is read-only. It lasts until the files are restored.
    case files(String)
    /// The failure of the last write, such as a full disk. Only another write tells whether it is over.
    case lastWrite(String)

    /// A sentence for the log; it names files.
    package var reason: String {
        switch self {
        case .files(let reason), .lastWrite(let reason): reason
        }
    }
}
