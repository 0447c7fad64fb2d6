import Foundation
import StoragePostgres
import Synchronization

/// A PostgreSQL server for tests: one per test process, in a temporary folder, on a Unix socket, with fsync. It ends with the process,
/// however that ends, and its folder is removed. `LONGPRESS_TEST_POSTGRES` is the URI of a server to use instead.
public final class PostgresServer: Sendable {
    public struct Problem: Error, CustomStringConvertible {
        public let description: String
    }

    private static let running = Mutex<PostgresServer?>(nil)
    private static let template = "longpress_template"

    /// The folder of createdb, with a trailing slash.
    private let programs: String
    private let isOurs: Bool
    /// The path of the socket; nil for a server from `LONGPRESS_TEST_POSTGRES`.
    public let socketPath: String?
    /// The URI of a database of this server.
    private let address: @Sendable (_ database: String) -> String

    /// Starts the server at the first call.
    public static func shared() throws -> PostgresServer {
        try running.withLock { running in
            if let running { return running }
            let server =
                try ProcessInfo.processInfo.environment["LONGPRESS_TEST_POSTGRES"].map(PostgresServer.init(uri:)) ?? PostgresServer()
            running = server
            return server
        }
    }

    /// - Parameter uri: the URI of one of its databases.
    private init(uri: String) throws {
        (programs, isOurs, socketPath) = (try Self.findPrograms(), false, nil)
        guard let components = URLComponents(string: uri) else { throw Problem(description: "LONGPRESS_TEST_POSTGRES is no URI.") }
        address = { database in
            var components = components
            components.path = "/\(database)"
            return components.string ?? uri
        }
        try makeTemplate()
    }

    private init() throws {
        (programs, isOurs) = (try Self.findPrograms(), true)
        let folder = try Self.start(programs)
        socketPath = folder + "/.s.PGSQL.5432"
        address = { "postgresql://longpress@/\($0)?host=\(folder)" }
        try makeTemplate()
    }

    private func makeTemplate() throws {
        // Another process may have left one on a shared server.
        try? dropDatabase(named: Self.template)
        try run("createdb", ["--maintenance-db", address("postgres"), Self.template])
        try PostgresDatabase.open(uri: address(Self.template), name: "the template", for: .migrate).close()
    }

    /// Creates a database with every migration and no rows.
    /// - Returns: its URI.
    public func makeDatabase(named name: String) throws -> String {
        try run("createdb", ["--maintenance-db", address("postgres"), "--template", Self.template, name])
        return address(name)
    }

    /// Removes a database from a shared server. The tests' own server is removed as a whole, without a checkpoint for each database.
    public func discardDatabase(named name: String) throws {
        if !isOurs { try dropDatabase(named: name) }
    }

    private func dropDatabase(named name: String) throws {
        try run("dropdb", ["--maintenance-db", address("postgres"), "--if-exists", "--force", name])
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: programs + program)
        process.arguments = arguments
        process.standardError = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Problem(description: "\(program): \(String(decoding: said, as: UTF8.self))")
        }
    }

    private static func findPrograms() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))?.compactMap(Int.init) ?? []
        let folders = versions.sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin/" } + ["/usr/local/bin/", "/usr/bin/"]
        guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: $0 + "initdb") }) else {
            throw Problem(description: "PostgreSQL is not installed: make setup-test installs it.")
        }
        return folder
    }

    /// The writing end of the pipe to the server's shell. When this process ends, the pipe closes and the shell ends the server.
    private static let lifeline = Mutex<FileHandle?>(nil)

    /// - Returns: the folder of its socket.
    private static func start(_ programs: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("longpress-pg-\(UUID().uuidString.prefix(8))").path
        let script = """
            mkdir -m 700 "$1" || exit 1
            cd "$1" || exit 1
            "$2initdb" -D data -U longpress -A trust -E UTF8 --locale=C.UTF-8 -N >log 2>&1 || { cat log; exit 1; }
            "$2postgres" -D data -k "$1" -c listen_addresses= -c max_connections=400 -c shared_buffers=32MB >>log 2>&1 </dev/null &
            server=$!
            tries=0
            until "$2pg_isready" -q -h "$1"; do
                tries=$((tries + 1))
                [ $tries -lt 200 ] && kill -0 $server || { cat log; exit 1; }
                sleep 0.1
            done
            echo ready
            exec >/dev/null 2>&1
            cat
            kill -QUIT $server
            wait $server
            cd / && rm -rf "$1"
            """
        let shell = Process()
        let output = Pipe()
        // A new pipe: Foundation closes its reading end here when the shell runs.
        let lifeline = Pipe()
        // PostgreSQL does not run as root.
        let asNobody = geteuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // In a new session, so that ^C ends the tests first.
        shell.arguments = asNobody + ["setsid", "--wait", "sh", "-c", script, "sh", folder, programs]
        shell.currentDirectoryURL = URL(fileURLWithPath: "/")
        shell.standardInput = lifeline
        shell.standardOutput = output
        // `swift test` waits until its standard error is closed, and removing a gigabyte of databases takes a while.
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        var said = ""
        while !said.hasSuffix("ready\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Problem(description: "PostgreSQL does not start: \(said)") }
            said += String(decoding: more, as: UTF8.self)
        }
        Self.lifeline.withLock { $0 = lifeline.fileHandleForWriting }
        return folder
    }
}
