import Foundation
import QuickActions

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
