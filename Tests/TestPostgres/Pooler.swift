import Foundation
import Synchronization

/// PgBouncer in transaction mode in front of the tests' own server. It ends with the process.
public final class Pooler: Sendable {
    private static let running = Mutex<Pooler?>(nil)

    /// The path of its socket.
    public let socketPath: String
    private let lifeline: Pipe

    /// Starts PgBouncer at the first call.
    /// - Parameter program: the path of PgBouncer.
    public static func shared(_ program: String) throws -> Pooler {
        try running.withLock { running in
            if let running { return running }
            let pooler = try Pooler(program)
            running = pooler
            return pooler
        }
    }

    private init(_ program: String) throws {
        guard let server = try PostgresServer.shared().socketPath else {
            throw PostgresServer.Problem(description: "The server is not the tests' own.")
        }
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("longpress-pool-\(UUID().uuidString.prefix(8))")
        // PgBouncer does not run as root.
        try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
        chmod(folder.path, 0o777)
        let settings = folder.appendingPathComponent("pgbouncer.ini")
        try """
        [databases]
        * = host=\(URL(fileURLWithPath: server).deletingLastPathComponent().path) port=5432 user=longpress
        [pgbouncer]
        listen_addr =
        listen_port = 6432
        unix_socket_dir = \(folder.path)
        auth_type = any
        pool_mode = transaction
        default_pool_size = 8
        max_client_conn = 2000
        """.write(to: settings, atomically: false, encoding: .utf8)
        socketPath = folder.path + "/.s.PGSQL.6432"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let asNobody = geteuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
        // When this process ends, the pipe closes, and the shell ends PgBouncer.
        let script = "\"$1\" -q \"$2\" </dev/null & cat; kill -9 $!"
        process.arguments = asNobody + ["setsid", "sh", "-c", script, "sh", program, settings.path]
        lifeline = Pipe()
        process.standardInput = lifeline
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while !files.fileExists(atPath: socketPath) {
            guard process.isRunning else { throw PostgresServer.Problem(description: "PgBouncer does not start.") }
            usleep(10_000)
        }
    }
}
