import Foundation

/// Certificates in a file of PEM blocks (RFC 7468).
package enum PEM {
    /// The certificates as DER.
    /// - Parameter name: the name of the file, for the message.
    package static func certificates(in bytes: [UInt8], named name: String) throws(RemoteFailure) -> [Data] {
        let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
        let blocks = String(decoding: bytes, as: UTF8.self).components(separatedBy: begin).dropFirst()
        let certificates = blocks.compactMap { block in
            block.components(separatedBy: end).first.flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
        }
        guard !certificates.isEmpty, certificates.count == blocks.count, certificates.allSatisfy({ !$0.isEmpty }) else {
            throw RemoteFailure(
                "\(name) has no certificate. Pass the authority's certificate as PEM, which begins with -----BEGIN CERTIFICATE-----.")
        }
        return certificates
    }
}
