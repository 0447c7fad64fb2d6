import Logging
import Synchronization

/// The level that all loggers of the service share. It may change at any time. Any thread may read and set it.
package final class LogLevel: Sendable {
    private static let all = Logger.Level.allCases
    private let index: Atomic<Int>

    package init(_ level: Logger.Level) {
        index = Atomic(Self.index(of: level))
    }

    var value: Logger.Level {
        get { Self.all[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    /// Whether the level is `debug` or `trace`.
    var isDebug: Bool { index.load(ordering: .relaxed) <= Self.debug }

    private static let debug = index(of: .debug)

    private static func index(of level: Logger.Level) -> Int { all.firstIndex(of: level) ?? 0 }
}
