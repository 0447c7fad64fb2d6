import CPQ

/// The target of a connection: a connection URI of libpq, which may name several hosts, TLS files and a password.
struct ConnectionTarget: Sendable {
    /// The purpose of a connection.
    struct Purpose: Sendable {
        let applicationName: String
        /// False behind a pooler in transaction mode: each transaction gets another server connection, which does not have earlier prepared
        /// statements.
        let preparesStatements: Bool

        static let listening = Purpose(applicationName: "longpress listen", preparesStatements: true)
        static let polling = Purpose(applicationName: "longpress listen", preparesStatements: false)
        /// The name of a connection during a transaction that may be silent for longer (`SessionSettings.unlimited`).
        static let bulkName = "longpress bulk"
        static func transactions(throughPooler: Bool) -> Purpose {
            Purpose(applicationName: "longpress", preparesStatements: !throughPooler)
        }
    }

    /// In seconds, for each host.
    private static let connectTimeout = "2"

    let uri: String

    /// Whether libpq can parse the URI. libpq's own message would quote the URI, which may have a password.
    var isReadable: Bool {
        guard let options = PQconninfoParse(uri, nil) else { return false }
        PQconninfoFree(options)
        return true
    }

    /// libpq's message about a connection, without quoted user names and passwords.
    func redacted(_ message: String) -> String {
        let authority = uri.firstRange(of: "://").map { uri[$0.upperBound...] } ?? uri[...]
        let credentials = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            let isQuoted = index % 2 == 1
            return isQuoted && (part.contains("@") || part.count > 2 && credentials.contains(part)) ? "***" : String(part)
        }.joined(separator: "\"")
    }

    /// Blocks until the connection succeeds or fails.
    func connect(_ purpose: Purpose) -> OpaquePointer? {
        // The URI overrides settings before dbname. It cannot override settings after it.
        let settings: [(String, String)] = [
            ("connect_timeout", Self.connectTimeout), ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "8000"), ("dbname", uri), ("client_encoding", "UTF8"),
            ("application_name", purpose.applicationName),
        ]
        return withCStrings(settings.map(\.0)) { keys in
            withCStrings(settings.map(\.1)) { values in PQconnectdbParams(keys, values, 1) }
        }
    }

    /// Calls `body` with an array of C strings that ends with NULL.
    private func withCStrings<Result>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
        let bytes = texts.map { Array($0.utf8CString) }
        let joined = bytes.flatMap(\.self)
        return joined.withUnsafeBufferPointer { buffer in
            var (pointers, offset): ([UnsafePointer<CChar>?], Int) = ([], 0)
            for text in bytes {
                pointers.append(buffer.baseAddress?.advanced(by: offset))
                offset += text.count
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { pointers in
                // Never empty: it ends with NULL.
                withExtendedLifetime(pointers) { body(pointers.baseAddress.unsafelyUnwrapped) }
            }
        }
    }
}
