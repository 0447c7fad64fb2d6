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

    @Test func `every setting has its row in docs/settings.md`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/settings.md"), encoding: .utf8)
        #expect(Setting.allCases.map(\.rawValue).filter { !page.contains("| `--\($0)` |") } == [])
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
            .logFormat: "xml", .eventLoops: "0", .maxConnections: "0", .maxConnectionsPerAddress: "-1",
        ]
        let error = #expect(throws: ConfigurationError.self) { try configuration(flags) }
        #expect(error?.problems.count == flags.count)
        #expect(error?.description.contains("short-secret") == false)
        #expect(error?.description.contains("LONGPRESS_ADMIN_TOKEN") == true)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]:1", "[::1]:1"), (":80", "0.0.0.0:80"), ("localhost:0", "127.0.0.1:0"),
        ("::1:80", nil), ("127.0.0.1", nil), ("127.0.0.1:65536", nil), ("", nil),
    ]) func `reads listening addresses`(_ text: String, _ expected: String?) {
        #expect(ListenAddress(text)?.description == expected)
    }

    @Test(arguments: [
        ("64MiB", 67_108_864), ("1KiB", 1024), ("2GiB", 2_147_483_648), ("0KiB", 0), ("64", nil), ("64MB", nil), ("-1MiB", nil),
        ("MiB", nil), ("9223372036854775807KiB", nil),
    ]) func `reads amounts of memory`(_ text: String, _ expected: Int?) {
        #expect(ByteCount(text: text)?.bytes == expected)
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
