/// Why writes fail.
package enum WriteObstacle: Equatable, Sendable {
    /// A file was deleted or replaced, or is read-only. The obstacle lasts until the files are restored.
    case files(String)
    /// The failure of the last write, such as a full disk. Only another write shows whether it is over.
    case lastWrite(String)

    /// A sentence for the log. It contains paths of files.
    package var reason: String {
        switch self {
        case .files(let reason), .lastWrite(let reason): reason
        }
    }
}
