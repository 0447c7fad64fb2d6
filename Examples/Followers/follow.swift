// Keeps menus up to date with the live stream: swiftc follow.swift && ./follow BASE APP/VERSION…
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The request failed and can be repeated. `after`: the Retry-After in seconds, if the service sent one.
struct Later: Error, CustomStringConvertible {
    let description: String
    var after: Double?
}

/// Passes on the status and the bytes of a response as they arrive. Linux lacks Foundation's byte streams.
final class Incoming: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    enum Part: Sendable {
        case head(status: Int, tag: String?, retryAfter: Double?)
        case bytes(Data)
    }

    private let parts: AsyncThrowingStream<Part, any Error>.Continuation

    private init(_ parts: AsyncThrowingStream<Part, any Error>.Continuation) { self.parts = parts }

    /// - Parameter silence: the longest time without a byte, in seconds.
    static func parts(of request: URLRequest, silence: Double) -> AsyncThrowingStream<Part, any Error> {
        AsyncThrowingStream { parts in
            let settings = URLSessionConfiguration.ephemeral
            settings.timeoutIntervalForRequest = silence
            settings.timeoutIntervalForResource = 3600
            let session = URLSession(configuration: settings, delegate: Incoming(parts), delegateQueue: nil)
            parts.onTermination = { _ in session.invalidateAndCancel() }
            session.dataTask(with: request).resume()
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let head = response as? HTTPURLResponse {
            let retryAfter = head.value(forHTTPHeaderField: "Retry-After").flatMap { Double($0) }
            parts.yield(.head(status: head.statusCode, tag: head.value(forHTTPHeaderField: "ETag"), retryAfter: retryAfter))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { parts.yield(.bytes(data)) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        parts.finish(throwing: error)
    }
}

struct Follower {
    struct Menu: Decodable {
        let revision: Int64
    }

    /// The data of an event, of any type.
    struct Change: Decodable {
        struct State: Decodable {
            let revision: Int64
        }

        var app: String?
        var revision: Int64?
        var audience, from, until: String?
        var resync: Bool?
        var apps: [String: State?]?
    }

    let base: String
    /// Apps and versions.
    let held: [(app: String, version: String)]
    /// By `APP/VERSION`.
    var menus: [String: (tag: String, menu: Menu)] = [:]
    var last: String?
    var retry = 3.0
    var failures = 0

    init(base: String, names: [String]) {
        self.base = base
        held = names.map { name in
            let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "0")
        }
    }

    mutating func run() async throws {
        while true {
            var wait: Double
            do {
                try await follow()
                wait = retry
            } catch {
                // Random unless the server says when, so that clients do not reconnect together.
                let longest = min(60, retry * pow(2, Double(failures)))
                wait = longest * .random(in: 0.5...1)
                if let after = (error as? Later)?.after, after > 0 { wait = after }
                failures = min(failures + 1, 10)
                say("waiting \(String(format: "%.1f", wait)) s: \((error as? Later)?.description ?? error.localizedDescription)")
            }
            try await Task.sleep(nanoseconds: UInt64(wait * 1e9))
        }
    }

    private func request(_ path: String, _ fields: [String: String?]) throws -> URLRequest {
        guard let url = URL(string: base + path) else { throw Later(description: "\(base + path) is not a URL") }
        var request = URLRequest(url: url)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for case (let name, let value?) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// Reads one stream to its end.
    private mutating func follow() async throws {
        let query = Set(held.map(\.app)).sorted().map { "app=" + $0 }.joined(separator: "&")
        let request = try request("/v1/stream?" + query, ["Accept": "text/event-stream", "Last-Event-ID": last])
        var (line, name, data, id) = (Data(), "message", [String](), String?.none)
        // A comment comes every 20 seconds: after 60 seconds of silence the connection is lost.
        for try await part in Incoming.parts(of: request, silence: 60) {
            switch part {
            case .head(200, _, _): break
            case .head(404, _, _): throw Later(description: "none of the apps exists")
            case .head(let status, _, let retryAfter): throw Later(description: "\(status)", after: retryAfter)
            case .bytes(let bytes):
                for byte in bytes {
                    guard byte == UInt8(ascii: "\n") else {
                        line.append(byte)
                        continue
                    }
                    let text = String(decoding: line, as: UTF8.self)
                    line.removeAll()
                    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    var value = parts.count == 2 ? String(parts[1]) : ""
                    if value.hasPrefix(" ") { value.removeFirst() }
                    switch parts.first ?? "" {
                    case "event": name = value
                    case "data": data.append(value)
                    case "id": id = value
                    case "retry": if let milliseconds = Double(value), milliseconds > 0 { retry = milliseconds / 1000 }
                    case "" where text.isEmpty:
                        if !data.isEmpty {
                            let change = try JSONDecoder().decode(Change.self, from: Data(data.joined(separator: "\n").utf8))
                            try await hear(name, change)
                            // Stored after the fetches: the service repeats an event whose fetches failed.
                            (last, failures) = (id, 0)
                        }
                        (name, data) = ("message", [])
                    default: break
                    }
                }
            }
        }
    }

    private mutating func hear(_ name: String, _ change: Change) async throws {
        switch name {
        case "state":
            say(change.resync == true ? "state, resync" : "state")
            for (app, state) in change.apps ?? [:] {
                if let state {
                    try await fetch(app, state.revision)
                } else {
                    forget(app, "is missing")
                }
            }
        case "deleted":
            forget(change.app ?? "", "deleted")
        case "changed":
            guard let app = change.app, let revision = change.revision else { return }
            say("\(app) changed, revision \(revision)")
            // This program keeps menus of the default audience only.
            if change.audience ?? "default" == "default" { try await fetch(app, revision, from: change.from, until: change.until) }
        default: break
        }
    }

    private mutating func forget(_ app: String, _ why: String) {
        say("\(app) \(why)")
        for menu in held where menu.app == app { menus[menu.app + "/" + menu.version] = nil }
    }

    /// Fetches the app's menus again for the versions from `from` up to, not including, `until`.
    private mutating func fetch(_ app: String, _ revision: Int64, from: String? = nil, until: String? = nil) async throws {
        for menu in held where menu.app == app {
            if let from, isBelow(menu.version, from) { continue }
            if let until, !isBelow(menu.version, until) { continue }
            let name = menu.app + "/" + menu.version
            let path = "/v1/apps/\(app)/versions/\(menu.version)/shortcuts?revision=\(revision)"
            let request = try request(path, ["If-None-Match": menus[name]?.tag])
            var (status, tag, body) = (0, String?.none, Data())
            for try await part in Incoming.parts(of: request, silence: 15) {
                switch part {
                case .head(let code, let entityTag, let retryAfter):
                    guard [200, 304, 404].contains(code) else { throw Later(description: "\(code)", after: retryAfter) }
                    (status, tag) = (code, entityTag)
                case .bytes(let bytes): body.append(bytes)
                }
            }
            if status == 200, let tag {
                let fetched = try JSONDecoder().decode(Menu.self, from: body)
                menus[name] = (tag, fetched)
                say("\(name) revision \(fetched.revision)")
            } else {
                say("\(name) \(status == 304 ? "unchanged" : "has no menu")")
            }
        }
    }
}

func isBelow(_ left: String, _ right: String) -> Bool {
    func parts(_ version: String) -> [Int] {
        let parts = version.split(separator: ".").map { Int($0) ?? 0 }
        return (0..<3).map { $0 < parts.count ? parts[$0] : 0 }
    }
    return parts(left).lexicographicallyPrecedes(parts(right))
}

/// Unbuffered, also if the output is not a terminal.
func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

func main() async throws {
    var follower = Follower(base: CommandLine.arguments[1], names: Array(CommandLine.arguments.dropFirst(2)))
    try await follower.run()
}

try await main()
