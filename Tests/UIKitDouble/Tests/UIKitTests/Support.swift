import SwiftUI
import Testing

@testable import LongpressKit

/// One test at a time: a scene posts its notifications to every observer of the process.
@Suite(.serialized) enum AppTests {}

/// A service that gives the answers of a test, or none.
actor ScriptedTransport: LongpressTransport {
    struct Unreachable: Error {}

    private(set) var requests: [LongpressRequest] = []
    private var answers: [String: LongpressResponse] = [:]

    /// - Parameter resource: the last part of the path, with the query after a question mark.
    func answer(_ resource: String, _ status: Int, _ body: String) {
        answers[resource] = LongpressResponse(status: status, headers: ["ETag": "\"\(body.hashValue)\""], body: Data(body.utf8))
    }

    func send(_ request: LongpressRequest) async throws -> LongpressResponse {
        requests.append(request)
        let resource = request.url.lastPathComponent + (request.url.query.map { "?\($0)" } ?? "")
        guard let answer = answers[resource] else { throw Unreachable() }
        return answer
    }
}

/// Stores nothing.
struct NoStorage: LongpressStorage {
    func load(_ name: String) -> Data? { nil }
    func save(_ data: Data, as name: String) throws {}
}

/// A menu in the form of the service's answer.
func menu(_ items: String, withPersonal personal: String? = nil, revision: Int = 1, audience: String = "default") -> String {
    #"{"app":"com.example.mail","version":"2.0.0","audience":"\#(audience)","revision":\#(revision),"effectiveFrom":"2.0.0","#
        + #""language":"en","visibleBudget":4,"items":[\#(items)]"#
        + (personal.map { #","personal":[\#($0)]}"# } ?? "}")
}

func entry(_ id: String, revision: Int = 1, audience: String? = nil, more: String = "") -> String {
    let tagged = audience.map { #","longpress.audience":"\#($0)""# } ?? ""
    return #"{"type":"t.\#(id)","localizedTitle":"\#(id)","visible":true\#(more),"#
        + #""userInfo":{"longpress.schema":1,"longpress.item":"\#(id)","#
        + #""longpress.version":"2.0.0","longpress.revision":\#(revision),"longpress.language":"en","longpress.action":"a"\#(tagged)}}"#
}

/// An item as the system passes it: a static one, which needs no request.
@MainActor func tapped(_ type: String, n: Int = 0) -> UIApplicationShortcutItem {
    UIApplicationShortcutItem(
        type: type, localizedTitle: type, localizedSubtitle: nil, icon: nil, userInfo: ["n": NSNumber(value: Int64(n))])
}

@MainActor
func configure(_ longpress: Longpress, static types: Set<String> = [], _ transport: ScriptedTransport = ScriptedTransport()) {
    var configuration = LongpressConfiguration(server: URL(fileURLWithPath: "/"), app: "com.example.mail", version: "2.0")
    configuration.staticTypes = types
    longpress.configure(configuration, storage: NoStorage(), transport: transport)
}

/// Yields until the condition holds. Returns whether it did.
@MainActor func comes(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        await Task.yield()
    }
    return true
}

/// The actions that a listener got, in order.
@MainActor final class Heard {
    var actions: [ResolvedAction] = []

    var numbers: [Int64] {
        actions.compactMap { action -> Int64? in
            guard case .integer(let n)? = action.tapped["n"] else { return nil }
            return n
        }
    }

    var isListening = false

    func listen(_ longpress: Longpress, upTo most: Int = .max) -> Task<Void, Never> { listen(longpress.actions, upTo: most) }

    func listen(_ taps: QuickActionTaps, upTo most: Int = .max) -> Task<Void, Never> {
        Task {
            isListening = true
            var left = most
            for await action in taps {
                actions.append(action)
                left -= 1
                if left == 0 { break }
            }
        }
    }
}

/// Reproducible: a failure names its seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A value that a closure of the app reads.
@MainActor final class Value<Wrapped> {
    var now: Wrapped
    init(_ now: Wrapped) { self.now = now }
}
