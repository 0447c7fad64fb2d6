import Foundation
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

/// The key that signs an endpoint's deliveries, written `whsec_` + base64. Never logged.
package struct SigningSecret: Sendable {
    private static let prefix = "whsec_"

    let key: [UInt8]

    /// - Parameter text: standard base64 with padding, with or without `whsec_`.
    package init?(_ text: String) {
        let encoded = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard let bytes = Data(base64Encoded: encoded), !bytes.isEmpty else { return nil }
        key = Array(bytes)
    }

    /// The text of a new secret: `whsec_` + base64 of 32 random bytes.
    package static func generated(with random: RandomSource) -> String {
        var bytes: [UInt8] = []
        for _ in 0..<4 { withUnsafeBytes(of: random().bigEndian) { bytes.append(contentsOf: $0) } }
        return prefix + base64(bytes)
    }
}
