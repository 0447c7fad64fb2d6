import CPQ
import Shortcuts

extension PostgresDatabase {
    /// The version of libpq that this process is linked with at run time, such as 15.10.
    package static var libraryVersion: String { "\(PQlibVersion() / 10_000).\(PQlibVersion() % 10_000)" }

    package var engine: DatabaseDescription.Engine { .postgres }

    /// The server's version, without the suffix of its distribution.
    package func engineVersion() throws(Failure) -> String {
        let version = try read { connection throws(Failure) in try connection.first("SHOW server_version", [], as: String.self) }
        return String(version?.prefix { $0 != " " } ?? "unknown")
    }

    package func byteCount() throws(Failure) -> Int64 {
        try read { connection throws(Failure) in try connection.first("SELECT pg_database_size(current_database())", [], as: Int64.self) }
            ?? 0
    }
}
