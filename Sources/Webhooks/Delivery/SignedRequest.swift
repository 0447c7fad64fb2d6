import QuickActions
import Shortcuts

/// The signed request of one attempt. Its body is the event's, byte for byte.
struct SignedRequest: Sendable {
    let delivery: ClaimedDelivery
    let destination: EndpointDestination
    /// Lines in libcurl's form: `Name: value`, `Name;` for an empty value, `Name:` for a field not to send.
    let fields: [String]
    let startedAt: Timestamp
    let started: ContinuousClock.Instant

    /// Why a request cannot be built.
    enum SigningError: Error {
        case url(EndpointURL.ParseError)
        case secret

        var result: AttemptResult {
            switch self {
            case .url(let refusal): .refused(error: refusal.message)
            case .secret: .failed(error: AttemptError.unreadableSecret, nil)
            }
        }
    }

    init(_ delivery: ClaimedDelivery, at time: Timestamp, _ configuration: Dispatcher.Configuration) throws(SigningError) {
        do throws(EndpointURL.ParseError) {
            destination = try delivery.endpoint.url.destination(by: configuration.addressGuard, httpsOnly: configuration.httpsOnly)
        } catch {
            throw .url(error)
        }
        let secrets = delivery.endpoint.secrets.valid(at: time).compactMap { SigningSecret($0) }
        guard !secrets.isEmpty else { throw .secret }
        let seconds = time.milliseconds / 1000
        let signature = WebhookSignature(id: delivery.event.id, timestamp: seconds, body: delivery.event.body, secrets: secrets)
        let custom = delivery.endpoint.headers.filter(Self.isSent)
        func hasCustom(_ name: String) -> Bool { custom.contains { $0.name.lowercased() == name } }
        let traceParent = hasCustom("traceparent") ? nil : Self.traceParent(of: delivery)
        fields =
            [
                "Content-Type: application/json", "webhook-id: \(delivery.event.id)", "webhook-timestamp: \(seconds)",
                "webhook-signature: \(signature)", "Expect:", "Transfer-Encoding:",
            ] + (hasCustom("user-agent") ? [] : ["User-Agent: Longpress/\(configuration.version)"])
            + (hasCustom("accept") ? [] : ["Accept:"]) + (traceParent.map { ["traceparent: \($0)"] } ?? []) + custom.map(Self.line)
        self.delivery = delivery
        startedAt = time
        started = .now
    }

    /// Stored fields are checked again, because a rule may be newer than the field. `Expect: 100-continue` would make libcurl wait.
    private static func isSent(_ header: Endpoint.Header) -> Bool {
        EndpointHeaders.isToken(header.name) && !EndpointHeaders.isReserved(header.name)
            && EndpointHeaders.isPlain(header.value) && header.name.lowercased() != "expect"
    }

    /// The event's, with a new parent-id for this attempt (W3C Trace Context, section 3.2.2.4), because this service is now the caller.
    private static func traceParent(of delivery: ClaimedDelivery) -> String? {
        guard let received = delivery.event.traceParent else { return nil }
        let attempt = sha256Hex(Array("\(delivery.id) \(delivery.leaseToken)".utf8), first: 16)
        return "\(received.prefix(36))\(attempt)\(received.suffix(3))"
    }

    private static func line(_ header: Endpoint.Header) -> String {
        let value = header.value.trimmingBlanks
        return value.isEmpty ? "\(header.name);" : "\(header.name): \(value)"
    }
}
