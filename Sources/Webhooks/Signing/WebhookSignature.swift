import QuickActions
import Shortcuts

/// The field `webhook-signature` of Standard Webhooks 1.0: `v1,` + base64 of HMAC-SHA256 over `id.timestamp.body`,
/// one per secret, separated by a space.
package struct WebhookSignature: Sendable, CustomStringConvertible {
    package let description: String

    /// - Parameter timestamp: whole seconds since 1970, as in `webhook-timestamp`.
    package init(id: EventID, timestamp: Int64, body: [UInt8], secrets: [SigningSecret]) {
        let signed = Array("\(id).\(timestamp).".utf8) + body
        description = secrets.map { secret in
            "v1," + base64(hmacSHA256(signed, key: secret.key))
        }.joined(separator: " ")
    }
}
