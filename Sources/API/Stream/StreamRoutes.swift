import HTTP
import QuickActions
import Shortcuts

/// The live stream of the client plane. Anybody may read it.
package struct StreamRoutes: Sendable {
    private static let path = "/v1/stream"
    package static let name = "streamChanges"

    private let opener: StreamOpener

    package init(_ opener: StreamOpener) {
        self.opener = opener
    }

    package var routes: [Route] {
        [
            Route(.get, Self.path, name: Self.name, runs: .onOpener) { request, _ in
                answering(request, about: Refusal.Subject()) { subject throws(Failure) in try open(request, &subject) }
            }
        ]
    }

    private func open(_ request: Request, _ subject: inout Refusal.Subject) throws(Failure) -> Response {
        let apps = try opener.apps(in: request.query)
        guard !apps.isEmpty else {
            throw Failure(.invalidParameter, "app is missing. Add at least one app, for example /v1/stream?app=com.example.mail.")
        }
        if apps.count == 1 { subject.app = AppID(apps[0])?.description }
        return try opener.open(apps, for: request)
    }
}

/// The publisher of `LiveEvents`.
package protocol StreamNews: Sendable {
    /// Requests that served changes are published soon.
    func wake()
    /// Also looks for the commits of other processes. May wait for the store.
    func catchUp()
}

/// Opens the live stream of some apps: their changes as server-sent events.
package struct StreamOpener: Sendable {
    /// The most apps in one stream.
    private static let appLimit = 50
    /// The most missed entries that are sent to a client; above it, the state is shorter. And the approximate number of bytes sent at once.
    private static let (entryLimit, byteLimit) = (1000, 32 << 10)

    private let store: any StreamStore
    private let live: LiveEvents
    private let address: PublicAddress
    private let news: any StreamNews

    package init(store: any StreamStore, live: LiveEvents, address: PublicAddress, news: any StreamNews) {
        self.store = store
        self.live = live
        self.address = address
        self.news = news
    }

    /// - Parameters:
    ///   - names: the apps in the query. Without any, the stream has an empty state and comments only.
    ///   - access: ends the stream; nil if anybody may read it.
    /// - Throws: `unknownApp` if none of the apps exists, unless the client sends `Last-Event-ID`: it then resumes, and gets the deletions.
    ///   Otherwise apps that do not exist are reported as missing, and followed once they exist.
    func open(_ names: [String], for request: Request, under access: (any StreamAccess)? = nil) throws(Failure) -> Response {
        guard let first = names.first else { return try openWithoutApps(request, under: access) }
        let apps = names.compactMap { AppID($0) }
        guard !apps.isEmpty else { throw .unknownApp(named: first) }
        let text = request.fields.first("Last-Event-ID").flatMap { $0.isEmpty ? nil : $0 }
        // Before the journal is read: commits from here on are published.
        let interest = live.newInterest()
        var recent = live.recent
        let position = text.flatMap { StreamPosition($0) }
        var beginning = try store.streamBeginning(of: apps, after: position, limit: Self.entryLimit)
        guard text != nil || !beginning.revisions.isEmpty else { throw .unknownApp(named: first) }
        if let repeated = request.query.duplicates.first(where: { $0 != "app" }) {
            throw Failure(.invalidParameter, "The query has the parameter \(quoted(repeated)) twice. Send it once.")
        }
        try requireAcceptable(request)
        try waitUntilServed(beginning.last)
        if !recent.isCurrent {
            // The first stream after a long time restarts the numbers.
            recent = live.recent
            beginning = try store.streamBeginning(of: apps, after: position, limit: Self.entryLimit)
            try waitUntilServed(beginning.last)
        }
        let parts = Parts(opener: self, names: names, apps: apps, recent: recent, interest: interest, access: access)
        return response(with: parts.first(beginning, after: position, isResuming: text != nil))
    }

    /// An empty state, then only comments and the end of the stream. Does not read the journal.
    private func openWithoutApps(_ request: Request, under access: (any StreamAccess)?) throws(Failure) -> Response {
        try requireAcceptable(request)
        let position = live.position
        let state = EventText.state(of: [], [:], at: position, isResync: false)
        return response(
            with: EventStream(
                topics: [], events: EventText.retry + state, position: position.number, isComplete: true, recent: NoEvents(),
                interest: NoEvents(), access: access
            ) { nil })
    }

    private func requireAcceptable(_ request: Request) throws(Failure) {
        guard Accept(request.fields).quality(of: "text/event-stream") > 0 else {
            throw Failure(.notAcceptable, "The stream is text/event-stream. Send the field Accept: text/event-stream, or */*.")
        }
    }

    private func response(with stream: EventStream) -> Response {
        var response = Response(
            .ok, fields: ["Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"])
        response.stream = stream
        return response
    }

    /// The distinct values of `app`. They need not be valid app ids.
    func apps(in query: Query) throws(Failure) -> [String] {
        var names: [String] = []
        for name in query.all("app") where !names.contains(name) {
            guard names.count < Self.appLimit else {
                throw Failure(.invalidParameter, "app: a stream has at most \(Self.appLimit) apps. Open a second stream for the others.")
            }
            names.append(name)
        }
        return names
    }

    /// No event and no state may be newer than what this process serves.
    private func waitUntilServed(_ position: StreamPosition) throws(Failure) {
        guard live.position.number < position.number else { return }
        news.wake()
        guard !live.wait(for: position.number, atMost: .milliseconds(50)) else { return }
        news.catchUp()
        guard live.wait(for: position.number, atMost: .seconds(2)) else {
            throw Failure(.storageUnavailable, "This node does not serve the latest change yet. Try again shortly, or use another node.")
        }
    }

    /// The parts of one stream that are read from the journal.
    private struct Parts {
        let opener: StreamOpener
        let names: [String]
        let apps: [AppID]
        let recent: any RecentEvents
        let interest: LiveEvents.Interest
        let access: (any StreamAccess)?

        /// The first part: the state of the apps, or the events that the client has missed.
        /// - Parameter position: where the client was disconnected.
        func first(_ beginning: StreamBeginning, after position: StreamPosition?, isResuming: Bool) -> EventStream {
            guard let position, let missed = beginning.missed else {
                let state = EventText.state(of: names, beginning.revisions, at: beginning.last, isResync: isResuming)
                return stream(EventText.retry + state, to: beginning.last, isComplete: true)
            }
            // The missed events of an app that has been deleted end with its deletion.
            let told = Set(missed.map(\.app)).union(beginning.revisions.keys)
            let absent = names.filter { name in !told.contains { $0.description == name } }
            return portion(EventText.retry + absent.flatMap { EventText.deleted($0, at: position) }, missed, beginning)
        }

        /// As many of the missed entries as fit into one part.
        private func portion(_ prefix: [UInt8], _ missed: [StreamEntry], _ beginning: StreamBeginning) -> EventStream {
            var (bytes, position, count) = (prefix, beginning.last, 0)
            for entry in missed where bytes.count < byteLimit {
                bytes += entry.text(at: opener.address)
                position = entry.position
                count += 1
            }
            let isComplete = count == missed.count
            return stream(bytes, to: isComplete ? beginning.last : position, isComplete: isComplete)
        }

        private func stream(_ bytes: [UInt8], to position: StreamPosition, isComplete: Bool) -> EventStream {
            EventStream(
                topics: apps.map(\.description), events: bytes, position: position.number, isComplete: isComplete, recent: recent,
                interest: interest, access: access
            ) { next(after: position) }
        }

        /// The part after a position; nil if the journal no longer has it.
        private func next(after position: StreamPosition) -> EventStream? {
            do throws(Failure) {
                let beginning = try opener.store.streamBeginning(of: apps, after: position, limit: entryLimit)
                guard let missed = beginning.missed else { return nil }
                try opener.waitUntilServed(beginning.last)
                return portion([], missed, beginning)
            } catch {
                return nil
            }
        }
    }
}

/// The events of a stream without apps.
private final class NoEvents: RecentEvents {
    func events(after number: Int64) -> (events: [StreamedEvent], position: Int64)? { ([], number) }
    var isCurrent: Bool { true }
}
