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

    /// What is wrong with the URI, in libpq's words; nil where it can be read.
    var problem: String? {
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(uri, &message)
        defer { PQconninfoFree(options) }
        guard options == nil else { return nil }
        defer { PQfreemem(message) }
        return message.map { String(cString: $0).split(separator: "\n").joined(separator: " ") } ?? "it cannot be read"
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
