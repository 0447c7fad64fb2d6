import QuickActions
import Shortcuts

/// The secrets and header values of endpoints, encrypted at rest if the store has a key. A database uses one key for all of them.
extension Store {
    /// Checks that the store's key decrypts the encrypted values, and encrypts the others. Called before the first delivery.
    /// - Returns: the number of endpoints that were encrypted.
    /// - Throws: `conflict`, with a sentence, if the key is missing or wrong.
    package func encryptSecrets() throws(Failure) -> Int {
        let stored = try database.read { connection throws(Failure) in
            try connection.allEndpoints(unreadable: configuration.noteUnreadable)
        }
        try stored.requireKey(configuration.secretKey)
        guard let key = configuration.secretKey, stored.contains(where: { !$0.isSealed }) else { return 0 }
        return try write { transaction throws(Failure) in
            let stored = try transaction.connection.allEndpoints(unreadable: { _ in })
            // Another node may have encrypted them in the meantime, with another key.
            try stored.requireKey(key)
            let plain = stored.filter { !$0.isSealed }
            for endpoint in plain {
                try transaction.connection.put(try endpoint.sealed(by: key))
                transaction.effects.changedEndpoints.insert(endpoint.id)
            }
            return plain.count
        }
    }

    /// The endpoint in its stored form.
    /// - Throws: `conflict` if others are encrypted with another key, or this node has no key.
    func sealed(_ endpoint: Endpoint, _ connection: any SQLConnection) throws(Failure) -> Endpoint {
        try connection.allEndpoints(unreadable: { _ in }).requireKey(configuration.secretKey)
        return try endpoint.sealed(by: configuration.secretKey)
    }

    /// Encrypts all secrets with a new key, in one transaction. This store cannot read them afterwards.
    /// - Returns: the number of endpoints.
    /// - Throws: `conflict` while a node lives, because its key would not decrypt the new secrets; if the store's key is missing or wrong;
    ///   if an endpoint cannot be read.
    package func rotateKey(to key: SecretKey, by author: Author) throws(Failure) -> Int {
        try write { transaction throws(Failure) in
            let connection = transaction.connection
            let living = "SELECT name FROM nodes WHERE seen_at > ? ORDER BY name LIMIT 1"
            if let node = try connection.first(living, [SQLValue(author.at.adding(-Node.silence))], as: String.self) {
                throw Failure(
                    .conflict, "The node \(quoted(node)) has used the database within the last 15 seconds. Stop all nodes first.")
            }
            let endpoints = try connection.endpoints(where: "1 = 1 ORDER BY id", [])
            try endpoints.requireKey(configuration.secretKey)
            for endpoint in endpoints {
                let opened: Endpoint
                do throws(Failure) {
                    opened = try endpoint.opened(by: configuration.secretKey)
                } catch {
                    throw Failure(
                        .conflict,
                        "The secrets of the webhook \(endpoint.id) are damaged. The key of --secret-key-file decrypts the secrets of other "
                            + "webhooks. Start the service and delete that webhook first.")
                }
                try connection.put(try opened.sealed(by: key))
                transaction.effects.changedEndpoints.insert(endpoint.id)
            }
            try transaction.log(AuditEntry(author: author, action: .storeKeyRotated))
            return endpoints.count
        }
    }
}

extension StoreReader {
    /// - Throws: see `Store.encryptSecrets`.
    package func requireKey(_ key: SecretKey?) throws(Failure) {
        try database.read { connection throws(Failure) in try connection.allEndpoints(unreadable: { _ in }) }.requireKey(key)
    }
}

extension SQLConnection {
    fileprivate func allEndpoints(unreadable: (UnreadableRow) -> Void) throws(Failure) -> [Endpoint] {
        try readableEndpoints(where: "1 = 1 ORDER BY id", [], unreadable: unreadable).compactMap(\.self)
    }
}

extension [Endpoint] {
    /// A key that decrypts any of the values is the right one. The others are damaged, and only their deliveries wait.
    fileprivate func requireKey(_ key: SecretKey?) throws(Failure) {
        let encrypted = filter { SecretKey.isSealed($0.secrets.current) }
        guard !encrypted.isEmpty, !encrypted.contains(where: { $0.isOpened(by: key) }) else { return }
        throw Failure(
            .conflict,
            key == nil
                ? "The secrets of webhooks in the database are encrypted. Set the file of the key with --secret-key-file."
                : "The key of --secret-key-file does not decrypt the secrets of webhooks in the database. Set the file of the key that "
                    + "encrypted them.")
    }
}

extension Endpoint {
    /// The prefix of the places for which texts of this endpoint are sealed.
    private var place: String { "endpoints/\(id)/" }
    /// Both secrets share one place, because a rotation copies one to the other.
    private var placeOfSecrets: String { place + "secret" }

    fileprivate func isOpened(by key: SecretKey?) -> Bool { key.flatMap { try? $0.open(secrets.current, for: placeOfSecrets) } != nil }

    fileprivate var isSealed: Bool {
        ([secrets.current, secrets.previous].compactMap(\.self) + headers.map(\.value)).allSatisfy(SecretKey.isSealed)
    }

    /// Encrypts the values that are not encrypted yet; does nothing without a key.
    fileprivate func sealed(by key: SecretKey?) throws(Failure) -> Endpoint {
        guard let key else { return self }
        return try mappingSecrets { text, place throws(Failure) in
            // Swift's generator uses the system's cryptographic random numbers: a nonce must never repeat with one key.
            SecretKey.isSealed(text) ? text : try key.seal(text, for: place, nonce: (0..<12).map { _ in UInt8.random(in: .min ... .max) })
        }
    }

    /// Decrypts the encrypted values.
    /// - Throws: `internalError` if the key is missing or wrong.
    func opened(by key: SecretKey?) throws(Failure) -> Endpoint {
        try mappingSecrets { text, place throws(Failure) in
            guard SecretKey.isSealed(text) else { return text }
            guard let key else { throw .corrupt("The secret \(place) is encrypted. Set its key with --secret-key-file.") }
            return try key.open(text, for: place)
        }
    }

    private func mappingSecrets(_ change: (String, _ place: String) throws(Failure) -> String) throws(Failure) -> Endpoint {
        var endpoint = self
        endpoint.secrets.current = try change(secrets.current, placeOfSecrets)
        if let previous = secrets.previous { endpoint.secrets.previous = try change(previous, placeOfSecrets) }
        endpoint.headers = []
        for header in headers {
            // A patch may change the case of the name and keep the value.
            let value = try change(header.value, place + "headers/\(header.name.lowercased())")
            endpoint.headers.append(Header(name: header.name, value: value))
        }
        return endpoint
    }
}

extension Store {
    package func rotateSecret(
        of endpoint: EndpointID, to secret: String, previousExpiresAt end: Timestamp, by author: Author
    ) throws(Failure) {
        try write { transaction throws(Failure) in
            let keepsFormer = end > author.at
            let rotated = try transaction.connection.requireEndpoint(endpoint)
            var changed = rotated
            changed.secrets.current = secret
            let stored = try sealed(changed, transaction.connection).secrets.current
            try transaction.connection.enqueue(
                """
                UPDATE endpoints SET previous_secret = CASE WHEN ? = 1 THEN secret ELSE NULL END,
                    previous_secret_expires_at = ?, secret = ? WHERE id = ?
                """, [SQLValue(keepsFormer), SQLValue(keepsFormer ? end : nil), .text(stored), SQLValue(endpoint)])
            transaction.effects.changedEndpoints.insert(endpoint)
            try transaction.log(AuditEntry(author: author, action: .webhookSecretRotated, target: .webhook(rotated)))
        }
    }
}
