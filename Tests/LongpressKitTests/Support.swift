import Foundation
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import LongpressKit

func version(_ text: String) throws -> AppVersion { try #require(AppVersion(text)) }
func tag(_ text: String) throws -> LanguageTag { try #require(LanguageTag(text)) }

let appID = "com.example.notes"

/// A set as an editor writes it.
func set(_ text: String) throws -> ShortcutSet {
    try ShortcutSetDocument(try JSON(document: Array(text.utf8)), defaultLanguage: try tag("en")).checked()
}

/// Sets by the version that they begin at, published as revision `first` and so on.
func timeline(_ sets: KeyValuePairs<String, String>, audience: Audience = .default, first: Int64 = 1) throws -> Timeline {
    let published = try sets.enumerated().map { place, entry in
        PublishedSet(
            version: try version(entry.key), revision: first + Int64(place), publishedAt: Timestamp(milliseconds: 0), by: "ci",
            set: try set(entry.value))
    }
    return Timeline(audience: audience, sets: published)
}

func snapshot(_ timelines: [Timeline], releases: [Release] = [], fallbackURL: String? = "notes://home") throws -> AppSnapshot {
    let app = App(
        id: try #require(AppID(appID)), name: nil, defaultLanguage: try tag("en"), fallbackURL: fallbackURL.map { ActionURL(stored: $0) })
    return AppSnapshot(app: app, timelines: Dictionary(timelines.map { ($0.audience, $0) }) { $1 }, releases: releases)
}

/// An app with members' menus, an update that replaces and retires, and menus in two languages.
func notes() throws -> AppSnapshot {
    let compose = #"""
        {"id": "compose", "type": "t.compose", "title": {"en": "New Note", "ko": "새 메모"}, "url": "notes://compose",
         "userInfo": {"n": 1, "r": 1.0, "b": true, "when": {"$date": "2026-01-31T09:00:00Z"}, "key": {"$data": "AAEC"},
                      "list": ["a", {"k": 2}]},
         "icon": {"symbol": "square.and.pencil", "type": "compose"}}
        """#
    let others = #"""
        {"id": "old", "type": "t.old", "title": {"en": "Old"}}, {"id": "gone", "type": "t.gone", "title": {"en": "Gone"}},
        {"id": "lost", "type": "t.lost", "title": {"en": "Lost"}}
        """#
    let new = #"""
        {"id": "new", "type": "t.new", "title": {"en": "New"}, "replaces": ["old"], "url": "notes://new"},
        {"id": "off", "type": "t.off", "title": {"en": "Off"}, "enabled": false}
        """#
    let newest = #"{"id": "newest", "type": "t.newest", "title": {"en": "Newest"}, "replaces": ["new", "lost"]}"#
    let one = #"{"items": [\#(compose), \#(others)]}"#
    let two = #"{"items": [\#(compose), \#(new)], "retired": [{"id": "gone", "url": "notes://gone"}]}"#
    let three = #"{"items": [\#(compose), \#(newest)]}"#
    let member = #"{"items": [{"id": "inbox", "type": "t.inbox", "title": {"en": "Inbox"}, "url": "notes://inbox"}]}"#
    return try snapshot([
        try timeline(["1.0": one, "2.0": two, "3.0": three]),
        try timeline(["1.0": member], audience: try #require(Audience("member")), first: 4),
    ])
}

/// The service without HTTP: the domain's own answers.
struct DomainService: Sendable {
    var snapshot: AppSnapshot
    var cacheControl = "public, max-age=60, stale-if-error=604800"

    func answer(_ request: LongpressRequest) -> LongpressResponse {
        let parts = request.url.path.split(separator: "/").map(String.init)
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
        guard let app = parts.firstIndex(of: "apps"), parts.count == app + 5, parts[app + 1] == snapshot.app.id.description,
            let version = AppVersion(parts[app + 3])
        else { return LongpressResponse(status: 404, headers: [:], body: Data(#"{"type":"/problems/unknown-app"}"#.utf8)) }
        let build = AppBuild(version, build: parameter("build").flatMap(BuildNumber.init))
        let audience = parameter("audience").flatMap(Audience.init) ?? .default
        let language = preference(request.headers["Accept-Language"] ?? "")
        let json: JSON?
        switch parts[app + 4] {
        case "shortcuts": json = ShortcutsAnswer(for: Client(build: build, audience: audience, language: language), in: snapshot)?.json
        case "bundle": json = OfflineBundle(for: build, audience, in: snapshot)?.json
        case "taps": return tap(request, version, language)
        default: json = nil
        }
        guard let json else {
            return LongpressResponse(
                status: 404, headers: ["Cache-Control": "public, max-age=60"], body: Data(#"{"type":"/problems/no-shortcut-set"}"#.utf8))
        }
        let etag = "\"\(entityHash(of: json.encoded))\""
        let headers = ["etag": etag, "Cache-Control": cacheControl]
        if request.headers["If-None-Match"] == etag { return LongpressResponse(status: 304, headers: headers, body: Data()) }
        return LongpressResponse(status: 200, headers: headers, body: Data(json.encoded))
    }

    private func tap(_ request: LongpressRequest, _ version: AppVersion, _ language: LanguagePreference) -> LongpressResponse {
        guard let body = request.body, let json = try? JSON(document: Array(body)),
            let tap = try? TapDocument(json).tap(version: version, language: language)
        else { return LongpressResponse(status: 400, headers: [:], body: Data()) }
        return LongpressResponse(status: 200, headers: [:], body: Data(TapAnswer(to: tap, in: snapshot).json.encoded))
    }

    private func preference(_ field: String) -> LanguagePreference {
        .ranges(field.split(separator: ",").compactMap { LanguageTag(String($0.prefix { $0 != ";" }.filter { $0 != " " })) }, refused: [])
    }
}

/// Gives the answers of a test, and records the requests.
final class ScriptedTransport: LongpressTransport {
    typealias Answer = @Sendable (LongpressRequest) async throws -> LongpressResponse

    private let state: Mutex<(answer: Answer, requests: [LongpressRequest])>

    init(_ answer: @escaping Answer) { state = Mutex((answer, [])) }

    convenience init(_ service: DomainService) { self.init { service.answer($0) } }

    static var offline: ScriptedTransport { ScriptedTransport { _ in throw Unreachable() } }

    struct Unreachable: Error {}

    var requests: [LongpressRequest] { state.withLock { $0.requests } }
    /// The last part of each request's path.
    var asked: [String] { requests.map { $0.url.lastPathComponent } }

    func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }
    func answer(_ service: DomainService) { answer { service.answer($0) } }
    func answer(_ status: Int, _ body: String = "", _ headers: [String: String] = [:]) {
        answer { _ in LongpressResponse(status: status, headers: headers, body: Data(body.utf8)) }
    }

    func send(_ request: LongpressRequest) async throws -> LongpressResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answer
        }
        return try await answer(request)
    }
}

final class MemoryStorage: LongpressStorage {
    let files = Mutex<[String: Data]>([:])

    func load(_ name: String) -> Data? { files.withLock { $0[name] } }
    func save(_ data: Data, as name: String) throws { files.withLock { $0[name] = data } }
}

/// A clock that only advances when it is told to, and then wakes sleeping tasks.
final class FakeClock: Sendable {
    private struct State {
        /// The wall clock, which may be set, and the monotonic one.
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        var instant = ContinuousClock.now
        var sleepers: [(until: ContinuousClock.Instant, wake: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var environment: ClientEnvironment {
        ClientEnvironment(
            now: { self.state.withLock(\.now) }, instant: { self.state.withLock(\.instant) }, sleep: { await self.sleep($0) },
            random: { 1 })
    }

    /// Sets the wall clock.
    func set(by seconds: Double) { state.withLock { $0.now += seconds } }

    var sleepers: Int { state.withLock { $0.sleepers.count } }

    private func sleep(_ duration: Duration) async {
        await withCheckedContinuation { wake in
            state.withLock { $0.sleepers.append(($0.instant + duration, wake)) }
        }
    }

    func advance(_ seconds: Double) {
        let due = state.withLock { state in
            state.now += seconds
            state.instant += .seconds(seconds)
            let now = state.instant
            let due = state.sleepers.filter { $0.until <= now }
            state.sleepers.removeAll { $0.until <= now }
            return due
        }
        for sleeper in due { sleeper.wake.resume() }
    }
}

/// Everything that a client needs, with a service that does not change.
struct Bench {
    let clock = FakeClock()
    var storage = MemoryStorage()
    let transport: ScriptedTransport
    var configuration: LongpressConfiguration

    init(_ transport: ScriptedTransport, version: String = "2.0", languages: [String] = []) throws {
        self.transport = transport
        let server = try #require(URL(string: "https://actions.example.com/quick/"))
        configuration = LongpressConfiguration(server: server, app: appID, version: version, languages: languages)
    }

    func client(bundled: Data? = nil) -> LongpressClient {
        LongpressClient(configuration, bundled: bundled, storage: storage, transport: transport, environment: clock.environment)
    }
}

func bundle(_ snapshot: AppSnapshot, _ version: String, _ audience: Audience = .default) throws -> Data {
    let build = try #require(AppBuild(version))
    let bundle = try #require(OfflineBundle(for: build, audience, in: snapshot))
    return Data(bundle.json.encodedLine)
}

/// Waits for asynchronous effects, and yields to other tasks.
func eventually(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

func error(_ work: () async throws -> some Any) async -> LongpressError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error as? LongpressError
    }
}
