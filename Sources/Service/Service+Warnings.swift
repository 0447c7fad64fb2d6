import Logging

extension Service {
    /// Logs problems of the machine that will cause failures later.
    func warnOfMachine() {
        let warnings = StartWarnings(configuration, maxConnections: server.maxConnections)
        for (message, cause) in warnings.all { logger.warning("\(message)", metadata: ["cause": "\(cause)"]) }
    }
}

/// Limits of the machine that do not fit the configuration.
struct StartWarnings {
    private(set) var all: [(message: String, cause: String)] = []

    /// - Parameters:
    ///   - maxConnections: the connections that the limit of open files allows.
    ///   - memoryLimit: in bytes.
    ///   - freeBytes: in the file system of the database; nil if the database is not a file.
    init(_ configuration: ServiceConfiguration, maxConnections: Int, memoryLimit: Int?, freeBytes: Int?) {
        let server = configuration.server
        if maxConnections < server.maxConnections {
            all.append(
                (
                    "the limit of open files is too low for --max-connections",
                    "It allows \(maxConnections) of \(server.maxConnections) connections. Raise LimitNOFILE or ulimit -n, or lower the "
                        + "setting."
                ))
        }
        let caches = configuration.cacheBudget + configuration.snapshotBudget
        let budgets = caches + configuration.adminBudget + server.bodyBudget + Self.base
        if let memoryLimit, memoryLimit < budgets {
            all.append(
                (
                    "the memory limit is too low for the budgets",
                    "The control group allows \(memoryLimit >> 20) MiB. --cache-budget, --snapshot-budget, --admin-budget, request bodies "
                        + "and the program may use \(budgets >> 20) MiB. Raise the limit or lower the budgets."
                ))
        }
        if let freeBytes, freeBytes < 1 << 30 {
            all.append(
                (
                    "the file system of the database is almost full",
                    "\(freeBytes >> 20) MiB are free. When it is full, writes fail. Free at least 1 GiB."
                ))
        }
    }

    init(_ configuration: ServiceConfiguration, maxConnections: Int) {
        self.init(
            configuration, maxConnections: maxConnections, memoryLimit: Machine.memoryLimit(),
            freeBytes: configuration.database.path.flatMap { Machine.freeBytes(at: $0) })
    }

    /// The program's memory without requests, in bytes (docs/operating.md, Memory).
    private static let base = 46 << 20
}
