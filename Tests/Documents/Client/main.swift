// Uses LongpressKit as an app or a backend does, for test_client_package.py: a separate package that only depends on the product. Each
// command prints a result as a line of JSON.
import Foundation
import LongpressKit

/// All properties of an item, in one order.
func whole(_ item: QuickActionItem) -> String {
    let userInfo = item.userInfo.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    let looks = "\(item.title) \(item.subtitle ?? "-") \(String(describing: item.icon)) \(item.isVisible)"
    return [item.type, looks, userInfo].joined(separator: "; ")
}

/// The result of an action. Two actions that only differ in their source have equal lines except for it.
func describe(_ action: ResolvedAction) -> [String: String] {
    [
        "outcome": action.outcome.rawValue, "item": action.item?.id ?? "", "url": action.url?.absoluteString ?? "",
        "refresh": String(action.needsRefresh), "source": String(describing: action.source), "tapped": String(action.tapped.count),
        "whole": action.item.map(whole) ?? "",
    ]
}

func show(_ line: [String: String]) throws {
    print(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))
}

func client(
    _ server: String, _ app: String, _ version: String, in folder: String, bundled: String? = nil, audience: String? = nil,
    languages: [String] = []
) throws -> LongpressClient {
    guard let url = URL(string: server) else { throw URLError(.badURL) }
    var configuration = LongpressConfiguration(server: url, app: app, version: version, audience: audience, languages: languages)
    configuration.staticTypes = ["search"]
    return LongpressClient(
        configuration, bundled: try bundled.map { try Data(contentsOf: URL(filePath: $0)) },
        storage: .directory(URL(filePath: folder)))
}

func refresh(_ client: LongpressClient) async -> String {
    do throws(LongpressError) {
        switch try await client.refresh() {
        case .unchanged: return "unchanged"
        case .unchangedStale(let error): return "stale: \(error)"
        case .changed(let menu): return "changed " + menu.items.map { "\($0.id ?? "")=\($0.title)" }.joined(separator: " ")
        case .keep: return "keep"
        }
    } catch {
        return "\(error)"
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments[0] {
case "refresh":
    // server app version folder times
    let client = try client(arguments[1], arguments[2], arguments[3], in: arguments[4], languages: ["ko-KR", "en"])
    for _ in 0..<(Int(arguments[5]) ?? 1) { try show(["refresh": await refresh(client), "menu": await client.menu?.language ?? ""]) }
case "taps":
    // server app old new folder bundle: every item of the old version, tapped in the new one, and three without a tag
    let (server, app, folder) = (arguments[1], arguments[2], arguments[5])
    let old = try client(server, app, arguments[3], in: folder + "/old")
    _ = await refresh(old)
    var taps = await old.menu?.items.map { QuickActionTap(type: $0.type, userInfo: $0.userInfo) } ?? []
    taps += ["search", "com.example.new", "nobody"].map { QuickActionTap(type: $0, userInfo: ["n": .integer(1)]) }
    let nowhere = "http://127.0.0.1:9"
    let fetching = try client(server, app, arguments[4], in: folder + "/new")
    _ = await refresh(fetching)
    for tap in taps {
        let online = try client(server, app, arguments[4], in: folder + "/none")
        let carrying = try client(nowhere, app, arguments[4], in: folder + "/none", bundled: arguments[6])
        let keeping = try client(nowhere, app, arguments[4], in: folder + "/new")
        try show(describe(await online.resolve(tap)))
        try show(describe(await carrying.resolve(tap)))
        try show(describe(await keeping.resolve(tap)))
    }
case "slow":
    // server app version folder: a tap that only the service could tell
    let tap = QuickActionTap(
        type: "t",
        userInfo: ["longpress.schema": .integer(1), "longpress.item": .string("a"), "longpress.version": .string("0.1")])
    let client = try client(arguments[1], arguments[2], arguments[3], in: arguments[4])
    let clock = ContinuousClock()
    let start = clock.now
    var line = describe(await client.resolve(tap))
    line["seconds"] = String((clock.now - start) / .seconds(1))
    try show(line)
case "time":
    // server app version folder: a tap as served, in microseconds; the best of twenty runs, because other processes disturb the measurement
    let client = try client(arguments[1], arguments[2], arguments[3], in: arguments[4])
    _ = await refresh(client)
    guard let item = await client.menu?.items.first else { break }
    let tap = QuickActionTap(type: item.type, userInfo: item.userInfo)
    var best = Duration.seconds(60)
    for _ in 0..<20 {
        best = min(best, await ContinuousClock().measure { for _ in 0..<1_000 { _ = await client.resolve(tap) } })
    }
    try show(["microseconds": String(best / .microseconds(1_000)), "outcome": await client.resolve(tap).outcome.rawValue])
default: break
}
