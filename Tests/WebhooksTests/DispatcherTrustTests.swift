import Foundation
import Glibc
import QuickActions
import Shortcuts
import Testing

@testable import Webhooks

/// A Python HTTPS server with a certificate for `localhost` that only its own authority has signed.
private final class SecureSink {
    let folder: URL
    let port: Int
    private let process = Process()

    var authority: [UInt8] { (try? Array(Data(contentsOf: folder.appending(path: "cert.pem")))) ?? [] }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "longpress-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        openssl.currentDirectoryURL = folder
        openssl.standardError = FileHandle.nullDevice
        openssl.arguments =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
            .split(separator: " ").map(String.init)
        try openssl.run()
        openssl.waitUntilExit()
        let script = """
            import http.server, ssl
            class Handler(http.server.BaseHTTPRequestHandler):
                protocol_version = 'HTTP/1.1'
                def do_POST(self):
                    self.rfile.read(int(self.headers['Content-Length']))
                    self.send_response(200); self.send_header('Content-Length', '0'); self.end_headers()
                def log_message(self, *a): pass
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain('cert.pem', 'key.pem')
            server.socket = context.wrap_socket(server.socket, server_side=True)
            print(server.server_port, flush=True)
            server.serve_forever()
            """
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments = ["python3", "-c", script]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }
}

@Suite(.serialized)
struct DispatcherTrustTests {
    @Test func `verifies certificates, with the operator's authorities added`() async throws {
        let sink = try SecureSink()
        for (authority, host, state) in [
            (nil, "localhost", Delivery.State.exhausted), (sink.authority, "localhost", .delivered),
            (sink.authority, "127.0.0.1", .exhausted), (Array("no certificate".utf8), "localhost", .exhausted),
        ] as [([UInt8]?, String, Delivery.State)] {
            let post = try Post("0s", change: { $0.authorities = authority })
            post.dispatcher.start()
            post.endpoint("e", "https://\(host):\(sink.port)/")
            post.deliver("d", to: "e")
            let row = try await post.settled("d")
            #expect(row.state == state, "\(authority?.count ?? 0) \(host)")
            let error = row.attempts.first?.error
            #expect((error == nil) == (state == .delivered))
            #expect(error?.contains("certificate") ?? true)
            #expect(post.dispatcher.drain(timeout: .seconds(60)))
        }
    }

    @Test func `new authorities hold for the next attempt, also where a connection is kept`() async throws {
        let sink = try SecureSink()
        let post = try Post("0s", change: { $0.authorities = sink.authority })
        post.dispatcher.start()
        post.endpoint("e", "https://localhost:\(sink.port)/")
        post.deliver("first", to: "e")
        #expect(try await post.settled("first").state == .delivered)
        post.dispatcher.trust(nil)
        post.deliver("second", to: "e")
        #expect(try await post.settled("second").state == .exhausted)
        post.dispatcher.trust(sink.authority)
        post.deliver("third", to: "e")
        #expect(try await post.settled("third").state == .delivered)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `keeps the system's authorities when some are added`() {
        #expect(FileManager.default.fileExists(atPath: CurlLibrary.authorityFolder))
    }

    @Test func `ignores proxy variables`() async throws {
        for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] { setenv(name, "http://127.0.0.1:1", 1) }
        defer { for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] { unsetenv(name) } }
        let sink = LocalSink()
        let post = try Post("0s")
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        post.deliver("d", to: "e")
        #expect(try await post.settled("d").state == .delivered)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `refuses a connection that was kept open when its address is no longer allowed`() throws {
        // A dispatcher's guard is fixed, so the check of a reused connection is tested on a transfer.
        let endpoint = Endpoint(
            id: "e", url: EndpointURL(stored: "http://hooks.example/"), createdAt: Timestamp(milliseconds: 0),
            secrets: SigningSecrets(current: Post.secret))
        let event = Event(id: "m", type: .ping, app: nil, occurredAt: Timestamp(milliseconds: 0), body: [])
        let configuration = Dispatcher.Configuration(version: "1")
        let request = try SignedRequest(
            ClaimedDelivery(id: "d", leaseToken: "l", endpoint: endpoint, event: event, attemptsMade: 0),
            at: Timestamp(milliseconds: 0), configuration)
        let transfer = Transfer(request, on: try #require(EasyHandle()), to: [], configuration)
        #expect(transfer.mayRequest(from: "8.8.8.8"))
        #expect(!transfer.mayRequest(from: "127.0.0.1"))
        #expect(!transfer.mayRequest(from: "::ffff:10.0.0.1"))
        #expect(!transfer.mayRequest(from: ""))
    }
}
