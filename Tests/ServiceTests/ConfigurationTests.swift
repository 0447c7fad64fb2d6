import Foundation
import Testing

@testable import Service

@Suite struct ConfigurationTests {
    private func configuration(
        _ flags: [Setting: String] = [:], environment: [String: String] = [:], file: [Setting: String] = [:]
    ) throws -> ServiceConfiguration {
        try ServiceConfiguration(SettingValues(flags: flags, environment: environment, file: file), cores: 2)
    }

    @Test func `the defaults are a valid configuration`() throws {
        let configuration = try configuration()
        #expect(configuration.listen.description == "127.0.0.1:8080")
        #expect(configuration.server.eventLoops == 2 && configuration.server.workers == 8)
        #expect(configuration.webhooks.schedule.description == "0s,5s,5m,30m,2h,5h,10h,14h,20h,24h")
        #expect(configuration.webhooks.timeout == .seconds(15) && configuration.webhooks.disableAfter == .seconds(120 * 3600))
    }

    /// The help of the others says it in words, or has no default.
    private static let inWords: Set<Setting> = [
        .adminListen, .databaseListen, .node, .databasePasswordFile, .adminToken, .adminTokenFile, .maxTokenAge, .secretKeyFile,
        .eventLoops, .workers, .maxConnections, .signInHeader, .signInGroupsHeader, .signInProxies, .signInRoles, .trustedProxies,
        .publicURL, .allowedHosts, .firstAttemptGrace, .webhookAllow, .webhookCA, .webhookHTTPSOnly, .auditRetention,
    ]

    @Test(arguments: Set(Setting.allCases).subtracting(inWords))
    func `the default of a setting is the one in its help`(_ setting: Setting) throws {
        func text(_ flags: [Setting: String]) throws -> String {
            var text = ""
            dump(try configuration(flags.merging([.node: "n"]) { $1 }), to: &text)
            return text
        }
        let standard = try #require(setting.help.matches(of: /\(([^)]*)\)/).last?.1)
        #expect(try text([setting: String(standard)]) == text([:]))
    }

    @Test func `a flag takes precedence over the environment, and that over the file`() throws {
        let environment = ["LONGPRESS_LISTEN": "127.0.0.1:2", "LONGPRESS_WORKERS": "3"]
        let file: [Setting: String] = [.listen: "127.0.0.1:3", .workers: "4", .database: "sqlite:f"]
        let configuration = try configuration([.listen: "127.0.0.1:1"], environment: environment, file: file)
        #expect(configuration.listen.port == 1)
        #expect(configuration.server.workers == 3)
        #expect(configuration.database.description == "f")
    }

    @Test func `reports all invalid settings together, without secrets`() throws {
        let flags: [Setting: String] = [
            .listen: "nowhere", .adminToken: "short-secret", .webhookSchedule: "soon", .webhookAllow: "10.0.0.0/99", .idleTimeout: "-1s",
            .logFormat: "xml", .eventLoops: "0", .maxConnections: "0", .maxConnectionsPerAddress: "-1", .databaseConnections: "1",
            .databaseListen: "nowhere", .databasePoll: "3s", .node: "a b", .firstAttemptGrace: "61s", .drainDelay: "long",
            .trustedProxies: "10.0.0.1/8", .forwardedHeader: "both",
        ]
        let error = #expect(throws: ConfigurationError.self) { try configuration(flags) }
        #expect(error?.problems.count == flags.count)
        #expect(error?.description.contains("short-secret") == false)
        #expect(error?.description.contains("LONGPRESS_ADMIN_TOKEN") == true)
    }

    @Test(arguments: [
        ("https://menus.example.com/longpress", "menus.example.com"), ("https://xn--e1afmkfd.example:8443", "xn--e1afmkfd.example"),
        ("http://[2001:db8::1]:8080", "[2001:db8::1]"),
    ])
    func `the host of the public URL is allowed as clients send it`(_ url: String, _ host: String) throws {
        #expect(try configuration([.publicURL: url]).hostNames.contains(host))
    }

    @Test func `a delivery waits for other nodes where there may be some`() throws {
        let server = "postgres://db/longpress"
        func delay(_ flags: [Setting: String]) throws -> Duration { try configuration(flags).storage.firstAttemptDelay }
        #expect(try delay([:]) == .zero && delay([.database: server]) == .milliseconds(100))
        #expect(try delay([.database: server, .firstAttemptGrace: "0s"]) == .zero)
        #expect(try delay([.webhookSchedule: "2s,5s", .firstAttemptGrace: "60s"]) == .seconds(62))
    }

    @Test(arguments: [
        (
            "postgres://ana:secret@db.internal:5433,other/longpress?sslmode=verify-full",
            "postgres://***@db.internal:5433,other/longpress?sslmode=verify-full"
        ),
        ("postgresql://db/longpress?user=ana&password=secret&x=1", "postgresql://db/longpress?user=ana&password=***&x=1"),
        ("POSTGRES://db/l?sslpassword=secret?a=b&sslkey=/k", "postgres://db/l?sslpassword=***&sslkey=/k"),
        ("postgres://db/l?pass%77ord=secret", "postgres://db/l?pass%77ord=***"), ("postgres:///l?host=/run", "postgres:///l?host=/run"),
        ("postgres://a:secret?x=@db/l", "postgres://***@db/l"), ("postgres://a@b:secret/x@db/l", "postgres://***@db/l"),
        ("postgres://db/l?options=-c%20x&password=secret@x", "postgres://***@x"), ("postgres://", "postgres://"),
    ])
    func `a database's password is for libpq only`(_ text: String, _ shown: String) throws {
        let configuration = try configuration([.database: text, .databaseListen: text])
        guard case .postgres(let uri) = configuration.database else {
            Issue.record("not PostgreSQL")
            return
        }
        #expect(uri.text == (text.hasPrefix("POSTGRES") ? "postgres" + text.dropFirst(8) : text))
        #expect(configuration.database.description == shown && configuration.postgres.listening == .at(uri))
        #expect(!"\(configuration) \(String(reflecting: configuration))".contains("secret"))
    }

    /// A new file in a temporary folder.
    private func secretFile(_ content: String, mode: Int = 0o640) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "longpress-\(UUID())").path
        let isMade = FileManager.default.createFile(atPath: path, contents: Data(content.utf8), attributes: [.posixPermissions: mode])
        try #require(isMade)
        return path
    }

    @Test(arguments: ["\n", "\r\nother", ""]) func `a secret is the first line of a file`(_ end: String) throws {
        let token = String(repeating: "t", count: 32)
        #expect(try configuration([.adminTokenFile: secretFile(token + end)]).adminToken == token)
        let file = try secretFile("a b:c@d" + end)
        let configuration = try configuration(
            [.database: "postgres://ana@db/l", .databaseListen: "postgres://ana@other/l?sslmode=require"],
            environment: ["LONGPRESS_DATABASE_PASSWORD_FILE": file])
        #expect(configuration.database.uri?.text == "postgres://ana@db/l?password=a%20b%3Ac%40d")
        #expect(configuration.database.description == "postgres://***@db/l")
        guard case .at(let uri) = configuration.postgres.listening else { throw TextError() }
        #expect(uri.text == "postgres://ana@other/l?sslmode=require&password=a%20b%3Ac%40d")
        // SQLite has no password.
        #expect(try self.configuration([.databasePasswordFile: file]).database == .standard)
    }

    private struct TextError: Error {}

    @Test func `a secret in a file is refused if others can read it, or if it is given twice`() throws {
        let token = String(repeating: "t", count: 32)
        func problems(_ flags: [Setting: String], _ environment: [String: String] = [:]) throws -> [String] {
            try #require(throws: ConfigurationError.self) { try configuration(flags, environment: environment) }.problems
        }
        let (open, short, file) = (try secretFile(token, mode: 0o644), try secretFile("short"), try secretFile(token))
        #expect(try problems([.adminTokenFile: open]).first?.contains("Every user of this machine can read") == true)
        #expect(try problems([.adminTokenFile: short]).first?.hasSuffix("\(short) is not a token of at least 32 characters.") == true)
        #expect(try problems([.adminTokenFile: secretFile("\n\(token)")]).first?.contains("is empty") == true)
        #expect(try problems([.adminTokenFile: "/nowhere"]).first?.contains("cannot be read: No such file") == true)
        #expect(try problems([.adminTokenFile: file, .adminToken: token]).first?.contains("Set only one of them.") == true)
        for uri in ["postgres://a:b@db/l", "postgres://db/l?x=1&password=b"] {
            #expect(try problems([.database: uri, .databasePasswordFile: file]).first?.contains("Set only one of them.") == true)
        }
        let libpq = ["PGPASSWORD": "b"]
        #expect(try problems([.database: "postgres://db/l", .databasePasswordFile: file], libpq).count == 1)
        #expect(try problems([.database: "postgres://db/l", .databasePasswordFile: open]).first?.contains("Every user") == true)
    }

    @Test(arguments: ["postgres:db", "postgres:/db", "postgres://a:secret@db/a b", "mysql://a:secret@db/x", "mysql://db/x?password=secret"])
    func `what is no database is refused, without its password`(_ text: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try configuration([.database: text, .databaseListen: text]) }
        #expect(error?.problems.count == 2 && error?.description.contains("secret") == false)
    }

    @Test func `a node has a name of its own`() throws {
        #expect(try configuration().node != configuration().node)
        #expect(try configuration([.node: "db-1.a_B"]).node.description == "db-1.a_B")
        #expect(NodeName(host: "pod.example", suffix: "0f") == NodeName("pod.example-0f"))
        #expect(NodeName(host: "", suffix: "0f") == NodeName("node-0f") && NodeName(host: "é x", suffix: "0f") == NodeName("---x-0f"))
        #expect(NodeName(host: String(repeating: "a", count: 300), suffix: "0f").description.count == 64)
        for text in ["", "a b", "a/b", "é", String(repeating: "a", count: 65)] { #expect(NodeName(text) == nil) }
        #expect(NodeName(String(repeating: "a", count: 64)) != nil)
    }

    @Test(arguments: [
        (Setting.databaseConnections, "2", true), (.databaseConnections, "200", true), (.databaseConnections, "201", false),
        (.databasePoll, "100ms", true), (.databasePoll, "2s", true), (.databasePoll, "99ms", false), (.databaseListen, "none", true),
        (.databaseListen, "", false), (.firstAttemptGrace, "0s", true), (.firstAttemptGrace, "60s", true), (.drainDelay, "5s", true),
    ]) func `settings of nodes have bounds`(_ setting: Setting, _ text: String, _ isValid: Bool) throws {
        if isValid {
            _ = try configuration([setting: text])
        } else {
            #expect(throws: ConfigurationError.self) { try configuration([setting: text]) }
        }
    }

    @Test(arguments: [
        ("64MiB", 67_108_864), ("1KiB", 1024), ("2GiB", 2_147_483_648), ("0KiB", 0), ("64", nil), ("64MB", nil), ("-1MiB", nil),
        ("MiB", nil), ("9223372036854775807KiB", nil),
    ]) func `reads amounts of memory`(_ text: String, _ expected: Int?) {
        #expect((try? configuration([.cacheBudget: text]))?.cacheBudget == expected)
    }

    @Test func `reads a configuration file by option names`() throws {
        let file = try ConfigurationFile.read(Array(#"{"listen": "127.0.0.1:9", "workers": 5}"#.utf8), named: "f")
        #expect(file == [.listen: "127.0.0.1:9", .workers: "5"])
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationFile.read(Array(#"{"lisen": "x", "workers": [1]}"#.utf8), named: "f")
        }
        #expect(error?.problems.count == 2)
    }

    @Test(arguments: [("true", true), ("false", false)])
    func `reads a boolean from the environment and from the file`(_ text: String, _ value: Bool) throws {
        #expect(try configuration(environment: ["LONGPRESS_WEBHOOK_HTTPS_ONLY": text]).webhooks.httpsOnly == value)
        let file = try ConfigurationFile.read(Array(#"{"webhook-https-only": \#(value)}"#.utf8), named: "f")
        #expect(try configuration(file: file).webhooks.httpsOnly == value)
    }
}
