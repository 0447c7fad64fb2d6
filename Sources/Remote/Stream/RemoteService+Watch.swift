import Foundation
import QuickActions

extension RemoteService {
    /// Follows the live stream for as long as the process lives. After an interruption it reconnects with the last received id, so that no
    /// event is missed.
    /// - Parameter heard: called with each event. An error that it throws ends the watch.
    package func watch(
        _ apps: [AppID], pausing: (Int) -> Void = { usleep(UInt32(clamping: $0) &* 1000) },
        heard: (EventStreamReader.Event) throws(RemoteFailure) -> Void
    ) throws(RemoteFailure) {
        var (lastID, retry): (String?, Int) = (nil, 3000)
        var hasHeard = false
        while true {
            var reader = EventStreamReader()
            do throws(RemoteFailure) {
                try send(streamCall(apps, after: lastID)) { bytes throws(RemoteFailure) in
                    for event in try reader.receive(bytes) {
                        hasHeard = true
                        try heard(event)
                    }
                }
            } catch {
                // A permanent error, or an address that never answered as a stream, ends the watch. An interruption leads to a
                // reconnection.
                let isPassing = error.refusal.map { $0.status == 503 || $0.status == 429 } ?? (hasHeard && error.isOfConnection)
                guard isPassing else { throw error }
            }
            lastID = reader.lastID ?? lastID
            retry = reader.retry ?? retry
            pausing(min(max(retry, 100), 60_000))
        }
    }

    private func streamCall(_ apps: [AppID], after id: String?) -> Call {
        Call(
            plane: .client, path: "/stream", query: apps.map { ("app", $0.description) },
            fields: id.map { [("Last-Event-ID", $0)] } ?? [], accept: "text/event-stream", timeout: 60,
            isEndless: true)
    }
}
