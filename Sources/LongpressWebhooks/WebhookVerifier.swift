package import Foundation
internal import QuickActions

/// Verifies that a request was sent by the service, and reads its event.
///
/// Webhooks follow [Standard Webhooks 1.0](https://github.com/standard-webhooks/standard-webhooks): `webhook-signature` holds `v1,` and the
/// base64 of HMAC-SHA256 over `id.timestamp.body`, once for each secret. Pass the body's bytes unchanged. A body that was decoded and
/// encoded again does not match its signature.
///
/// ```swift
/// let verifier = try WebhookVerifier(secrets: [secret])
/// let event = try verifier.verify(body: bytes, headers: headers)
/// ```
///
/// A verifier has no state. Create it once and use it from any thread.
public struct WebhookVerifier: Sendable {
    private let keys: [HMACKey]
    private let tolerance: Duration
    private let now: @Sendable () -> Date

    /// Creates a verifier.
    /// - Parameters:
    ///   - secrets: the secrets as the service showed them, `whsec_…`. While a secret is rotated, pass both, because each attempt has both
    ///     signatures.
    ///   - tolerance: the maximum difference between the time of an attempt and this machine's clock. It limits how long a recorded request
    ///     can be replayed. A replay within that time has the same ``WebhookEvent/id``.
    /// - Throws: ``WebhookError/noSecrets``, ``WebhookError/badSecret``.
    public init(secrets: [String], tolerance: Duration = .seconds(300)) throws(WebhookError) {
        try self.init(secrets: secrets, tolerance: tolerance) { Date() }
    }

    package init(secrets: [String], tolerance: Duration, now: @escaping @Sendable () -> Date) throws(WebhookError) {
        guard !secrets.isEmpty else { throw .noSecrets }
        var keys: [HMACKey] = []
        for secret in secrets {
            let text = secret.hasPrefix("whsec_") ? String(secret.dropFirst(6)) : secret
            guard let key = bytes(base64: text), !key.isEmpty else { throw .badSecret }
            keys.append(HMACKey(key))
        }
        self.keys = keys
        self.tolerance = tolerance
        self.now = now
    }

    /// Verifies a request and reads its event.
    ///
    /// - Parameters:
    ///   - body: the bytes of the request's body, unchanged.
    ///   - headers: the request's headers, with names in any case. Other headers are ignored.
    /// - Returns: the event. If this version of the library does not know its type, the payload is
    ///   ``WebhookEvent/Payload/unknown(type:data:)``.
    /// - Throws: any ``WebhookError`` except ``WebhookError/noSecrets`` and ``WebhookError/badSecret``.
    public func verify(body: some Sequence<UInt8>, headers: [String: String]) throws(WebhookError) -> WebhookEvent {
        let id = try header("webhook-id", headers)
        let timestamp = try header("webhook-timestamp", headers)
        let signatures = try header("webhook-signature", headers)
        try checkTime(timestamp)
        let body = Array(body)
        let signed = Array("\(id).\(timestamp).".utf8) + body
        let isSigned = signatures.split(separator: " ").contains { signature in
            guard signature.hasPrefix("v1,"), let code = bytes(base64: String(signature.dropFirst(3))) else { return false }
            return keys.contains { $0.isValid(code, for: signed) }
        }
        guard isSigned else { throw .noMatch }
        guard let event = WebhookEvent(id: id, body: body) else { throw .notAnEvent }
        return event
    }

    private func header(_ name: String, _ headers: [String: String]) throws(WebhookError) -> String {
        guard let value = headers[name] ?? headers.first(where: { $0.key.lowercased() == name })?.value, !value.isEmpty else {
            throw .missingHeader(name)
        }
        return value
    }

    private func checkTime(_ timestamp: String) throws(WebhookError) {
        guard timestamp.utf8.allSatisfy(\.isASCIIDigit), let seconds = Int64(timestamp) else { throw .badTimestamp }
        let age = now().timeIntervalSince1970 - Double(seconds)
        let bound = Double(tolerance.components.seconds) + Double(tolerance.components.attoseconds) / 1e18
        if age > bound { throw .tooOld }
        if -age > bound { throw .tooNew }
    }
}

/// Why a request is not a valid webhook of the service.
///
/// Answer such a request with 400 and do nothing else. If the receiver's configuration is the cause (a missing secret, a wrong clock),
/// correct it: the service retries, so no event is lost.
public enum WebhookError: Error, Hashable, Sendable {
    /// A secret is not standard base64 (RFC 4648 section 4) of at least one byte, with or without `whsec_` before it.
    case badSecret
    /// The list of secrets is empty.
    case noSecrets
    /// This header is missing or empty. The name is in lower case.
    case missingHeader(String)
    /// `webhook-timestamp` is not a whole number of seconds since 1970.
    case badTimestamp
    /// The attempt was signed longer ago than the tolerance allows.
    case tooOld
    /// The attempt was signed further in the future than the tolerance allows.
    case tooNew
    /// No `v1` signature matches any of the secrets.
    case noMatch
    /// The signature is valid, but the body is not an event: a JSON object with `type`, `timestamp` and `data`.
    case notAnEvent
}
