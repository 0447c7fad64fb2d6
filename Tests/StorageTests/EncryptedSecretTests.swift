import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct EncryptedSecretTests {
    private func key(_ digit: String) throws -> SecretKey { try #require(SecretKey(String(repeating: digit, count: 64))) }

    private func configuration(_ key: SecretKey?) -> Store.Configuration {
        var configuration = Store.Configuration()
        configuration.secretKey = key
        return configuration
    }

    private func claimed(_ store: Store) throws -> Endpoint {
        _ = try store.ping("e", by: author())
        let deliveries = try store.claimDue(at: 9000, limit: 8, perEndpoint: 8, ahead: 0, lease: 1000)
        return try #require(deliveries.last?.endpoint)
    }

    @Test func `what the database has is encrypted, and deliveries have it as it was given`() throws {
        let store = try Workbench(configuration(key("1"))).store
        var made = endpoint("e")
        made.headers = [Endpoint.Header(name: "Authorization", value: "credential"), Endpoint.Header(name: "X", value: "")]
        try store.createEndpoint(made, by: author())
        let stored = try #require(try store.endpoint("e"))
        #expect(SecretKey.isSealed(stored.secrets.current) && stored.headers.allSatisfy { SecretKey.isSealed($0.value) })
        let sent = try claimed(store)
        #expect(sent.headers == made.headers && sent.secrets.current == "whsec_e")
        // A change keeps values that it does not name; a rotation keeps the previous secret.
        _ = try store.updateEndpoint("e", isEnabling: false, by: author()) { stored throws(Failure) in
            var changed = stored
            changed.description = "d"
            return changed
        }
        try store.rotateSecret(of: "e", to: "whsec_new", previousExpiresAt: 1_000_000, by: author())
        let rotated = try claimed(store)
        #expect(rotated.headers == made.headers && rotated.secrets.valid(at: 9000) == ["whsec_new", "whsec_e"])
        #expect(try SecretKey.isSealed(#require(try store.endpoint("e")).secrets.current))
    }

    @Test func `no two texts have the same nonce`() throws {
        let store = try Workbench(configuration(key("1"))).store
        for id in 0..<50 { try store.createEndpoint(endpoint(EndpointID("e\(id)")), by: author()) }
        let nonces = try (0..<50).map { try #require(try store.endpoint(EndpointID("e\($0)"))).secrets.current.prefix(17) }
        #expect(Set(nonces).count == 50)
    }

    @Test func `secrets that are not encrypted are encrypted at the start, and no start goes on without the key`() throws {
        let bench = try Workbench()
        try bench.store.createEndpoint(endpoint("e"), by: author())
        func store(_ key: SecretKey?) throws -> Store { try bench.reopened(configuration(key)) }
        #expect(try store(nil).encryptSecrets() == 0)
        #expect(try bench.store.endpoint("e")?.secrets.current == "whsec_e")
        #expect(try store(key("1")).encryptSecrets() == 1)
        let sealed = try bench.store.endpoint("e")?.secrets.current ?? ""
        #expect(SecretKey.isSealed(sealed))
        #expect(try store(key("1")).encryptSecrets() == 0)
        #expect(try bench.store.endpoint("e")?.secrets.current == sealed)
        for wrong in [nil, try key("2")] { #expect(failureCode { _ = try store(wrong).encryptSecrets() } == .conflict) }
    }

    @Test func `a node without the key, or with another one, changes no secrets`() throws {
        let bench = try Workbench(configuration(key("1")))
        try bench.store.createEndpoint(endpoint("e"), by: author())
        for wrong in [nil, try key("2")] {
            let store = try bench.reopened(configuration(wrong))
            #expect(failureCode { try store.createEndpoint(endpoint("f"), by: author()) } == .conflict)
            #expect(failureCode { try store.rotateSecret(of: "e", to: "whsec_n", previousExpiresAt: 1, by: author()) } == .conflict)
            #expect(
                failureCode { _ = try store.updateEndpoint("e", isEnabling: false, by: author()) { $0 } } == .conflict)
        }
        #expect(try bench.store.count("endpoints") == 1)
    }

    @Test func `a damaged secret is not a wrong key`() throws {
        let bench = try Workbench(configuration(key("1")))
        for id in ["a", "e"] as [EndpointID] { try bench.store.createEndpoint(endpoint(id), by: author()) }
        _ = try bench.store.database.write { connection throws(Failure) in
            try connection.execute("UPDATE endpoints SET secret = ? WHERE id = 'a'", [.text(SecretKey.mark + "AAAA")])
        }
        let store = try bench.reopened(configuration(key("1")))
        #expect(try store.encryptSecrets() == 0)
        #expect(try claimed(store).secrets.current == "whsec_e")
        #expect(failureCode { _ = try store.rotateKey(to: key("2"), by: author()) } == .conflict)
        try store.deleteEndpoint("a", by: author())
        #expect(try store.rotateKey(to: key("2"), by: author()) == 1)
    }

    @Test func `a rotation encrypts everything with the new key`() throws {
        let bench = try Workbench()
        func store(_ key: SecretKey?) throws -> Store { try bench.reopened(configuration(key)) }
        try bench.store.createEndpoint(endpoint("e"), by: author())
        #expect(try store(nil).rotateKey(to: key("1"), by: author()) == 1)
        #expect(failureCode { _ = try store(key("2")).rotateKey(to: key("3"), by: author()) } == .conflict)
        #expect(try store(key("1")).rotateKey(to: key("2"), by: author()) == 1)
        #expect(failureCode { _ = try store(key("1")).encryptSecrets() } == .conflict)
        #expect(try claimed(store(key("2"))).secrets.current == "whsec_e")
        #expect(try bench.store.audit(PageRequest(), within: .all).items.filter { $0.action == .storeKeyRotated }.count == 2)
    }
}
