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

/// Opens the live stream of some apps: what changes in them, as server-sent events.
package struct StreamOpener: Sendable {
    /// Apps in one stream.
    private static let appLimit = 50
    /// Entries that a client may have missed: the state costs less than to tell more. And about how many bytes of them are sent at once.
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
    ///   - names: of the request's query; with none there is nothing but the state of nothing, and comments.
    ///   - access: what ends the stream; nil where anybody may read it.
    /// - Throws: `unknownApp` where there is none of the apps, and the client has not been told so by a stream before: it comes back with
    ///   `Last-Event-ID`. Otherwise apps that do not exist are reported, and told of once they do.
    func open(_ names: [String], for request: Request, under access: (any StreamAccess)? = nil) throws(Failure) -> Response {
        guard let first = names.first else { return try openWithoutApps(request, under: access) }
        let apps = names.compactMap { AppID($0) }
        guard !apps.isEmpty else { throw .unknownApp(named: first) }
        let text = request.fields.first("Last-Event-ID").flatMap { $0.isEmpty ? nil : $0 }
        // Before the journal is read: what is committed from here on is published.
        let (interest, recent) = (live.newInterest(), live.recent)
        let position = text.flatMap { StreamPosition($0) }
        let beginning = try store.streamBeginning(of: apps, after: position, limit: Self.entryLimit)
        guard text != nil || !beginning.revisions.isEmpty else { throw .unknownApp(named: first) }
        if let repeated = request.query.duplicates.first(where: { $0 != "app" }) {
            throw Failure(.invalidParameter, "The query parameter \(quoted(repeated)) is given twice: give it once.")
        }
        try requireAcceptable(request)
        try waitUntilServed(beginning.last)
        let parts = Parts(opener: self, names: names, apps: apps, recent: recent, interest: interest, access: access)
        return response(with: parts.first(beginning, after: position, isResuming: text != nil))
    }

    /// The state of nothing; then nothing comes but comments, and what ends the stream. Neither the journal nor its entries are read for it.
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
            throw Failure(.notAcceptable, "The stream is text/event-stream. Accept that, or */*.")
        }
    }

    private func response(with stream: EventStream) -> Response {
        var response = Response(
            .ok, fields: ["Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"])
        response.stream = stream
        return response
    }

    /// The values of `app`, each once. They need not be ids of apps.
    func apps(in query: Query) throws(Failure) -> [String] {
        var names: [String] = []
        for name in query.all("app") where !names.contains(name) {
            guard names.count < Self.appLimit else {
                throw Failure(.invalidParameter, "app: a stream is of at most \(Self.appLimit) apps. Open another one for the others.")
            }
            names.append(name)
        }
        return names
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
        let opener: StreamOpener
        let names: [String]
        let apps: [AppID]
        let recent: any RecentEvents
        let interest: LiveEvents.Interest
        let access: (any StreamAccess)?

        /// The first part: the state of the apps, or what the client has missed.
        /// - Parameter position: where the client was cut off.
        func first(_ beginning: StreamBeginning, after position: StreamPosition?, isResuming: Bool) -> EventStream {
            guard let position, let missed = beginning.missed else {
                let state = EventText.state(of: names, beginning.revisions, at: beginning.last, isResync: isResuming)
                return stream(EventText.retry + state, to: beginning.last, isComplete: true)
            }
            // What is missed of an app that is deleted by now ends with its deletion.
            let told = Set(missed.map(\.app)).union(beginning.revisions.keys)
            let absent = names.filter { name in !told.contains { $0.description == name } }
            return portion(EventText.retry + absent.flatMap { EventText.deleted($0, at: position) }, missed, beginning)
        }

        /// As many of the missed entries as are sent at once.
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

        /// What follows a position; nil if the journal cannot tell it.
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

/// What a stream of no apps hears of.
private final class NoEvents: RecentEvents {
    func events(after number: Int64) -> (events: [StreamedEvent], position: Int64)? { ([], number) }
}
