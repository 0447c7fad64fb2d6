import CPQ

/// Where a connection goes: a connection URI of libpq, which may name several hosts, TLS files and a password.
struct ConnectionTarget: Sendable {
    /// What a connection is for.
    struct Purpose: Sendable {
        let applicationName: String
        /// A pooler in transaction mode gives each transaction another server connection, which does not know the statements of the last.
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

    init(uri: String) {
        self.uri = uri
    }

    /// Whether libpq can read the URI. What it says otherwise quotes the URI, which may have a password.
    var isReadable: Bool {
        guard let options = PQconninfoParse(uri, nil) else { return false }
        PQconninfoFree(options)
        return true
    }

    /// libpq's words about a connection, without what they quote of the user and the password.
    func redacted(_ message: String) -> String {
        let authority = uri.firstRange(of: "://").map { uri[$0.upperBound...] } ?? uri[...]
        let credentials = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            let isQuoted = index % 2 == 1
            return isQuoted && (part.contains("@") || part.count > 2 && credentials.contains(part)) ? "***" : String(part)
        }.joined(separator: "\"")
    }

    /// Blocks until the connection is made or has failed.
    func connect(_ purpose: Purpose) -> OpaquePointer? {
        // Before dbname: what the URI says goes first. After it: what it cannot change.
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
