import Logging

extension Service {
    /// Logs what about the machine will hurt later.
    func warnOfMachine() {
        let warnings = StartWarnings(configuration, maxConnections: server.maxConnections)
        for (message, cause) in warnings.all { logger.warning("\(message)", metadata: ["cause": "\(cause)"]) }
    }
}

/// What about the machine does not fit the configuration.
struct StartWarnings {
    private(set) var all: [(message: String, cause: String)] = []

    /// - Parameters:
    ///   - maxConnections: what the limit of open files leaves.
    ///   - memoryLimit: in bytes.
    ///   - freeBytes: in the database's file system; nil if the database is not a file.
    init(_ configuration: ServiceConfiguration, maxConnections: Int, memoryLimit: Int?, freeBytes: Int?) {
        let server = configuration.server
        if maxConnections < server.maxConnections {
            all.append(
                (
                    "the limit of open files is below --max-connections",
                    "It leaves \(maxConnections) of \(server.maxConnections) connections. Raise LimitNOFILE or ulimit -n, or lower the setting."
                ))
        }
        let caches = configuration.cacheBudget.bytes + configuration.snapshotBudget.bytes
        let budgets = caches + configuration.adminBudget.bytes + server.bodyBudget + Self.base
        if let memoryLimit, memoryLimit < budgets {
            all.append(
                (
                    "the limit of memory is below the budgets",
                    "The control group allows \(memoryLimit >> 20) MiB. --cache-budget, --snapshot-budget, --admin-budget, request bodies and the "
                        + "program may take \(budgets >> 20) MiB. Raise the limit or lower the budgets."
                ))
        }
        if let freeBytes, freeBytes < 1 << 30 {
            all.append(
                (
                    "the file system of the database is almost full",
                    "\(freeBytes >> 20) MiB are free. Writes are refused once it is full. Free at least 1 GiB."
                ))
        }
    }

    init(_ configuration: ServiceConfiguration, maxConnections: Int) {
        self.init(
            configuration, maxConnections: maxConnections, memoryLimit: Machine.memoryLimit(),
            freeBytes: configuration.database.path.flatMap { Machine.freeBytes(at: $0) })
    }

    /// What the program takes without a request (docs/operating.md, Memory).
    private static let base = 46 << 20
}
