/// Why a request is not a webhook that the service has sent.
///
/// Answer such a request with 400 and do nothing else. The service tries again by its schedule, so that an error of your own
/// configuration (a secret that is missing, a clock that is off) loses nothing once it is mended.
public enum WebhookError: Error, Hashable, Sendable {
    /// A secret is not `whsec_` and standard base64 (RFC 4648 section 4) of at least one byte.
    case badSecret
    /// A verifier needs at least one secret.
    case noSecrets
    /// The request lacks this header, or it is empty. The name is in lower case.
    case missingHeader(String)
    /// `webhook-timestamp` is not a whole number of seconds since 1970.
    case badTimestamp
    /// The attempt was signed longer ago than the tolerance allows.
    case tooOld
    /// The attempt was signed further in the future than the tolerance allows.
    case tooNew
    /// No `v1` signature is right for any of the secrets.
    case noMatch
    /// The signature is right, and the body is not an event: a JSON object with `type`, `timestamp` and `data`.
    case notAnEvent
}
