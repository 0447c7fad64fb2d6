import HTTP
import QuickActions
import Shortcuts

/// Who publishes to `LiveEvents`.
package protocol StreamNews: Sendable {
    /// Has what is known to be served published soon.
    func wake()
    /// Looks for what others have committed, too. It may wait for the store.
    func catchUp()
}

/// The live stream: what changes in some apps, as server-sent events.
package struct StreamRoutes: Sendable {
    private static let path = "/v1/stream"
    package static let name = "streamChanges"
    /// Apps in one stream.
    private static let appLimit = 50
    /// Entries that are read at once, and about how many bytes of them are sent at once.
    private static let (entryLimit, byteLimit) = (200, 32 << 10)

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

    package var routes: [Route] {
        [
            Route(.get, Self.path, name: Self.name, runs: .onOpener) { request, _ in
                answering(request, about: Refusal.Subject()) { subject throws(Failure) in try open(request, &subject) }
            }
        ]
    }

    private func open(_ request: Request, _ subject: inout Refusal.Subject) throws(Failure) -> Response {
        let apps = try apps(in: request.query)
        if apps.count == 1 { subject.app = apps[0].description }
        let text = request.fields.first("Last-Event-ID").flatMap { $0.isEmpty ? nil : $0 }
        // Before the journal is read: what is committed from here on is published.
        let (interest, recent) = (live.newInterest(), live.recent)
        let position = text.flatMap { StreamPosition($0) }
        let beginning = try store.streamBeginning(of: apps, after: position, limit: Self.entryLimit)
        try requireKnown(apps, beginning)
        if let repeated = request.query.duplicates.first(where: { $0 != "app" }) {
            throw Failure(.invalidParameter, "The query parameter \(quoted(repeated)) is given twice: give it once.")
        }
        guard Accept(request.fields).quality(of: "text/event-stream") > 0 else {
            throw Failure(.notAcceptable, "The stream is text/event-stream. Accept that, or */*.")
        }
        try waitUntilServed(beginning.last)
        var response = Response(
            .ok, fields: ["Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"])
        response.stream = Parts(routes: self, apps: apps, recent: recent, interest: interest).first(beginning, isResuming: text != nil)
        return response
    }

    /// The apps of `app`, each once.
    private func apps(in query: Query) throws(Failure) -> [AppID] {
        var names: [String] = []
        for name in query.all("app") where !names.contains(name) {
            guard names.count < Self.appLimit else {
                throw Failure(.invalidParameter, "app: a stream is of at most \(Self.appLimit) apps. Open another one for the others.")
            }
            names.append(name)
        }
        guard !names.isEmpty else {
            throw Failure(.invalidParameter, "app: name at least one app, for example /v1/stream?app=com.example.mail.")
        }
        var apps: [AppID] = []
        for name in names {
            guard let app = AppID(name) else { throw .unknownApp(named: name) }
            apps.append(app)
        }
        return apps
    }

    /// An app that was deleted after the client's last event is known: that is what the client has missed.
    private func requireKnown(_ apps: [AppID], _ beginning: StreamBeginning) throws(Failure) {
        let missed = Set(beginning.missed?.map(\.app) ?? [])
        for app in apps where beginning.revisions[app] == nil && !missed.contains(app) { throw .unknownApp(named: app.description) }
    }

    /// No event, and no state, says more than this process serves.
    private func waitUntilServed(_ position: StreamPosition) throws(Failure) {
        guard live.position.number < position.number else { return }
        news.wake()
        guard !live.wait(for: position.number, atMost: .milliseconds(50)) else { return }
        news.catchUp()
        guard live.wait(for: position.number, atMost: .seconds(2)) else {
            throw Failure(.storageUnavailable, "What was last changed is not served here yet. Try again shortly, or another node.")
        }
    }

    /// The parts of one stream, which are read from the journal.
    private struct Parts {
        let routes: StreamRoutes
        let apps: [AppID]
        let recent: any RecentEvents
        let interest: LiveEvents.Interest

        /// The first part: the state of the apps, or what the client has missed.
        func first(_ beginning: StreamBeginning, isResuming: Bool) -> EventStream {
            guard let missed = beginning.missed else {
                let state = EventText.state(beginning.revisions, at: beginning.last, isResync: isResuming)
                return stream(EventText.retry + state, to: beginning.last, isComplete: true)
            }
            return portion(EventText.retry, missed, beginning)
        }

        /// As many of the missed entries as are sent at once.
        private func portion(_ prefix: [UInt8], _ missed: [StreamEntry], _ beginning: StreamBeginning) -> EventStream {
            var (bytes, position, count) = (prefix, beginning.last, 0)
            for entry in missed where bytes.count < byteLimit {
                bytes += entry.text(at: routes.address)
                position = entry.position
                count += 1
            }
            let isComplete = count == missed.count && !beginning.hasMore
            return stream(bytes, to: isComplete ? beginning.last : position, isComplete: isComplete)
        }

        private func stream(_ bytes: [UInt8], to position: StreamPosition, isComplete: Bool) -> EventStream {
            EventStream(
                topics: apps.map(\.description), events: bytes, position: position.number, isComplete: isComplete, recent: recent,
                interest: interest
            ) { next(after: position) }
        }

        /// What follows a position; nil if the journal cannot tell it.
        private func next(after position: StreamPosition) -> EventStream? {
            do throws(Failure) {
                let beginning = try routes.store.streamBeginning(of: apps, after: position, limit: entryLimit)
                guard let missed = beginning.missed else { return nil }
                try routes.waitUntilServed(beginning.last)
                return portion([], missed, beginning)
            } catch {
                return nil
            }
        }
    }
}
