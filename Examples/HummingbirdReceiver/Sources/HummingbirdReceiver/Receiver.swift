import Foundation
import Hummingbird
import LongpressWebhooks

/// Receives webhooks at `POST /hooks` and prints each event once.
///
/// `PORT` is the port. `SECRETS` are the endpoint's secrets, separated by commas: two during a rotation.
@main struct Receiver {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let secrets = environment["SECRETS", default: ""].split(separator: ",").map(String.init)
        let verifier = try WebhookVerifier(secrets: secrets)
        let seen = SeenEvents()

        let router = Router()
        router.post("hooks") { request, _ -> HTTPResponse.Status in
            let body = try await request.body.collect(upTo: 64 << 10)
            let headers = Dictionary(request.headers.map { ($0.name.rawName, $0.value) }) { first, _ in first }
            let event: WebhookEvent
            do {
                event = try verifier.verify(body: body.readableBytesView, headers: headers)
            } catch {
                return .badRequest
            }
            // The service retries if it got no answer. Answer each attempt, and handle the event once.
            if await seen.insert(event.id) { handle(event) }
            return .noContent
        }
        let port = environment["PORT"].flatMap { Int($0) } ?? 9000
        let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
    }

    private static func handle(_ event: WebhookEvent) {
        switch event.payload {
        case .shortcutsPublished(let published):
            print("published", published.app, published.version, published.revision, published.url)
        case .shortcutsDeleted(let deleted): print("deleted", deleted.app, deleted.version, deleted.revision)
        case .shortcutsScheduled(let scheduled): print("scheduled", scheduled.app, scheduled.version)
        case .shortcutsScheduleFailed(let failed): print("schedule-failed", failed.app, failed.violations.map(\.code))
        case .shortcutsReview(let review): print("review", review.app, review.version, review.request.rawValue)
        case .shortcutsRolloutChanged(let rollout): print("rollout", rollout.app, rollout.version, rollout.share)
        case .shortcutsRolloutStopped(let rollout): print("rollout stopped", rollout.app, rollout.version, rollout.reason ?? "-")
        case .shortcutsOverride(let override): print("override", override.app, override.reason)
        case .releaseImported(let release): print("release", release.app, release.version, release.build ?? "-")
        case .releaseDeleted(let release): print("release deleted", release.app, release.version, release.build ?? "-")
        case .appCreated(let app): print("created", app)
        case .appDeleted(let app): print("deleted", app)
        case .webhookDisabled(let disabled): print("disabled", disabled.id, disabled.reason)
        case .ping: print("ping")
        case .unknown(let type, _): print("unknown", type)
        }
        // Writes each line to a pipe at once.
        try? FileHandle.standardOutput.synchronize()
        fflush(nil)
    }
}

/// The ids of handled events, in memory. In production, store them with the results, in the same transaction.
private actor SeenEvents {
    private var ids: Set<String> = []

    func insert(_ id: String) -> Bool { ids.insert(id).inserted }
}
