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
