import Foundation
import HTTP
import QuickActions
import Shortcuts
import Storage
import StorageSQLite
import Synchronization
import Testing
import Webhooks

@testable import API

/// The admin plane on a store in a temporary file, called in process. Only clock and randomness are test doubles.
final class AdminBench {
    static let app = "com.example.notes"

    let routes: [Route]
    /// The streams of `/stream`.
    let streams = AdminStreams()
    let authenticator: Authenticator
    /// By role. Each token has the role as its name.
    private(set) var tokens: [Role: String] = [:]
    /// The token of an owner of another app.
    private(set) var foreignToken = ""
    /// The values of placeholders in a path, a field or a body: `{app}`, `{webhook}`, `{delivery}`, `{token}`, `{entry}`, `{draft}`,
    /// `{export}`, `{preview}`. The body `{png}` is an icon.
    private var values = ["app": AdminBench.app]
    private let router: Router
    private let clientRouter: Router
    private let taps = TapTally()
    private let store: Store
    private let folder: URL

    /// Creates an app with three sets and a roll-out, a draft, a schedule entry and a release; a token, and a webhook with a delivery.
    init(budget: Int = 128 << 20, tokenWrites: Int = 0) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("longpress-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (clock, counter) = (StoppedClock(), Counter())
        let live = LiveEvents()
        store = try Store(
            SQLiteDatabase.open(folder.appendingPathComponent("store.sqlite").path, clock: clock),
            announcer: Announcer(publicURL: "https://menus.example.com", makeID: { counter.nextID }), identifiers: { counter.nextID })
        authenticator = Authenticator(tokens: store, configuredToken: "lp_first", clock: clock)
        let admin = AdminRoutes(
            stores: store, taps: NoTaps(), authenticator: authenticator,
            endpointRules: EndpointRules(addressGuard: AddressGuard(), random: { UInt64(counter.next) }), clock: clock,
            generator: IDGenerator(
                makeID: { counter.nextID },
                makeBytes: { count in [UInt8](repeating: UInt8(truncatingIfNeeded: counter.next), count: count) }),
            streaming: AdminStreaming(
                StreamOpener(store: store, live: live, address: PublicAddress("https://menus.example.com"), news: NoNews()), streams,
                watch: {}),
            program: ProgramDescription(version: "1.2.3", libraries: [(name: "sqlite", version: "3.1.4"), ("libcurl", "7.8.9")]),
            budget: AdminBudget(bytes: budget), tokenWrites: tokenWrites)
        let client = ClientRoutes(
            apps: store, taps: taps, reports: store, policy: CachePolicy(), cache: SharedCache(), clock: clock,
            previews: PreviewAccess(links: store, authenticator: authenticator, clock: clock))
        clientRouter = Router(client.routes, failure: unrouted)
        routes = admin.routes
        router = Router(admin.routes, failure: unrouted)
        try fill()
        live.restart(at: try store.streamPosition())
    }

    /// The head of a PNG (RFC 2083), which is all that is checked.
    static func icon(side: UInt8, height: UInt8? = nil) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, side, 0, 0, 0, height ?? side]
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func fill() throws {
        try make(.put, "/apps/{app}", #"{"name": "Notes", "defaultLanguage": "en"}"#)
        try make(.put, "/apps/{app}/releases/1.0", #"{"staticItems": [{"type": "s", "title": "S"}], "urlSchemes": ["notes"]}"#)
        for (path, title) in [("1.0", "Compose"), ("1.0", "Write"), ("2.0", "Note")] {
            try make(.put, "/apps/{app}/sets/\(path)", #"{"items": [{"id": "compose", "type": "t", "title": {"en": "\#(title)"}}]}"#)
        }
        try make(.put, "/apps/{app}/sets/8.0", #"{"items": []}"#)
        try make(.put, "/apps/{app}/sets/8.0/candidate?share=10", #"{"items": [{"id": "new", "type": "t", "title": {"en": "New"}}]}"#)
        for role in Role.allCases {
            let token = try make(.post, "/tokens", #"{"name": "\#(role)", "role": "\#(role)"}"#)
            tokens[role] = token["token"]?.text
        }
        let draft = #"{"items": [{"id": "compose", "type": "t", "title": {"en": "Draft"}}]}"#
        _ = try ask(.put, "/apps/{app}/sets/3.0/draft", draft, by: tokens[.editor])
        let foreign = try make(.post, "/tokens", #"{"name": "foreign", "role": "owner", "apps": ["com.example.other"]}"#)
        foreignToken = try #require(foreign["token"]?.text)
        values["token"] = foreign["id"]?.text
        values["webhook"] = try make(.post, "/webhooks", #"{"url": "https://hooks.example.com/a"}"#)["id"]?.text
        values["delivery"] = try make(.post, "/webhooks/{webhook}/ping")["id"]?.text
        try make(.put, "/apps/{app}/sets/9.0/draft", #"{"items": []}"#)
        _ = try ask(.put, "/apps/{app}/icon", "{other png}", by: "lp_first")
        values["entry"] = try make(.post, "/apps/{app}/sets/9.0/publish", #"{"at": "2099-01-01T00:00:00Z"}"#)["id"]?.text
        values["draft"] = try ask(.get, "/apps/{app}/sets/3.0/draft", by: "lp_first").fields.first("ETag")
        values["preview"] = try make(.post, "/apps/{app}/previews", "{}")["id"]?.text
        values["export"] = String(decoding: try ask(.get, "/export", by: "lp_first").body, as: UTF8.self)
    }

    @discardableResult
    private func make(_ method: HTTP.Method, _ path: String, _ body: String? = nil) throws -> JSON {
        let response = try ask(method, path, body, by: "lp_first")
        try #require((200..<300).contains(response.status.code), "\(method) \(path): \(String(decoding: response.body, as: UTF8.self))")
        return try JSON(document: response.body)
    }

    /// - Parameters:
    ///   - path: the path below `/admin/v1`.
    ///   - token: nil sends none.
    ///   - operation: its If-Match is sent.
    func ask(
        _ method: HTTP.Method, _ path: String, _ body: String? = nil, _ operation: AdminOperation? = nil, by token: String?
    ) throws -> Response {
        var fields: Fields = [:]
        if let tag = operation?.ifMatch { fields.append("If-Match", filled(tag)) }
        if let token { fields.append("Authorization", "Bearer \(token)") }
        return try ask(method, path, body, fields)
    }

    /// - Parameter fields: sent beside `Content-Type`.
    func ask(
        _ method: HTTP.Method, _ path: String, _ body: String? = nil, _ fields: Fields, from address: String = "", isEncrypted: Bool? = nil
    ) throws -> Response {
        var fields = fields
        let icon = body.flatMap { ["{png}": 2, "{other png}": 1][$0] }.map { Self.icon(side: $0) }
        if body != nil { fields.append("Content-Type", icon == nil ? "application/json" : "image/png") }
        let request = try Request(
            method, "/admin/v1" + filled(path), fields: fields, body: icon ?? Array(filled(body ?? "").utf8),
            sender: Sender(address: address, isEncrypted: isEncrypted))
        return router.respond(to: request)
    }

    /// What a route decides from the head of a request.
    func admit(_ method: HTTP.Method, _ path: String, by token: String) throws -> Admission {
        let fields: Fields = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
        let request = try Request(method, "/admin/v1" + filled(path), fields: fields)
        return router.route(request).admit(request)
    }

    /// The answer to a client.
    /// - Parameter path: the path below `/v1`.
    func fetch(_ path: String, _ fields: Fields = [:]) throws -> Response {
        clientRouter.respond(to: try Request(.get, "/v1" + filled(path), fields: fields, body: []))
    }

    /// The answer to a client that sends JSON.
    /// - Parameter path: the path below `/v1`.
    func post(_ path: String, _ body: String, from address: String = "192.0.2.1") throws -> Response {
        let fields: Fields = ["Content-Type": "application/json"]
        let sender = Sender(address: address)
        return clientRouter.respond(to: try Request(.post, "/v1" + filled(path), fields: fields, body: Array(body.utf8), sender: sender))
    }

    /// The number of taps that were counted.
    var tapCount: Int { taps.count.load(ordering: .relaxed) }

    /// Whether streams ended because their token or session is no longer valid.
    func endRevoked() throws -> Bool { try streams.endRevoked(by: store) }

    /// The stored app.
    func snapshot() throws -> AppSnapshot {
        let app = try #require(AppID(Self.app))
        return try #require(try store.snapshot(of: app))
    }

    private func filled(_ text: String) -> String {
        values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// Every entry of the audit log, the latest first, as `token action`.
    func audit() throws -> [String] {
        let response = try ask(.get, "/audit?limit=200", by: "lp_first")
        guard case .array(let entries)? = try JSON(document: response.body)["items"] else { return [] }
        return entries.map { "\($0["token"]?.text ?? "") \($0["action"]?.text ?? "")" }
    }
}

extension JSON {
    var text: String? {
        if case .string(let text) = self { text.string } else { nil }
    }
}

extension Response {
    /// The problem's code, such as `unknown-app`.
    var problem: String? {
        guard let type = try? JSON(document: body)["type"]?.text, type.hasPrefix("/problems/") else { return nil }
        return String(type.dropFirst("/problems/".count))
    }
}

private struct StoppedClock: WallClock {
    func now() -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000) }
}

private struct NoNews: StreamNews {
    func wake() {}
    func catchUp() {}
}

private final class TapTally: TapCounter {
    let count = Atomic(0)

    func count(_ kind: TapKind) { count.add(1, ordering: .relaxed) }
    func countIgnoredValues() {}
    func flush() {}
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var next: Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
    var nextID: String { "id\(next)" }
}
