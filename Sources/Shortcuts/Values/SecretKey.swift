import CCrypto
import QuickActions

/// A key of 32 bytes that encrypts short texts with AES-256-GCM (NIST SP 800-38D). A text is bound to its place, such as an endpoint's id,
/// and cannot be decrypted for another place.
package struct SecretKey: Sendable, CustomStringConvertible {
    private static let (nonceLength, tagLength) = (12, 16)
    /// The first character of every sealed text. Secrets and header values cannot contain control characters, so the mark is unambiguous.
    package static let mark = "\u{1}"

    private let bytes: [UInt8]
    /// Hides the key, so that no text that quotes a configuration contains it.
    package var description: String { "***" }

    /// - Parameter text: 32 bytes as 64 hexadecimal digits or as base64.
    package init?(_ text: String) {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        let isHex = text.utf8.count == 64 && digits.count == 64
        let bytes =
            isHex ? stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) } : QuickActions.bytes(base64: text)
        guard let bytes, bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    package static func isSealed(_ text: String) -> Bool { text.hasPrefix(mark) }

    /// - Parameter nonce: 12 random bytes.
    package func seal(_ text: String, for place: String, nonce: [UInt8]) throws(Failure) -> String {
        var tag = [UInt8](repeating: 0, count: Self.tagLength)
        guard let sealed = run(.sealing, Array(text.utf8), place, nonce, &tag) else { throw .corrupt("libcrypto cannot encrypt a secret.") }
        return Self.mark + base64(nonce + sealed + tag)
    }

    /// - Throws: `internalError` if the text was not sealed with this key for this place, or was changed afterwards.
    package func open(_ sealed: String, for place: String) throws(Failure) -> String {
        let content = QuickActions.bytes(base64: String(sealed.dropFirst(Self.mark.count))) ?? []
        let end = content.count - Self.tagLength
        guard Self.isSealed(sealed), end >= Self.nonceLength else { throw Self.unreadable(place) }
        var tag = Array(content[end...])
        guard let text = run(.opening, Array(content[Self.nonceLength..<end]), place, Array(content[..<Self.nonceLength]), &tag) else {
            throw Self.unreadable(place)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func unreadable(_ place: String) -> Failure { .corrupt("The secret \(place) cannot be decrypted with this key.") }

    private enum Direction: Int32 {
        case opening, sealing
    }

    /// - Parameter tag: written when sealing, read when opening.
    /// - Returns: nil if libcrypto fails, or if the tag does not belong to this text.
    private func run(_ direction: Direction, _ input: [UInt8], _ place: String, _ nonce: [UInt8], _ tag: inout [UInt8]) -> [UInt8]? {
        guard nonce.count == Self.nonceLength, let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        let place = Array(place.utf8)
        var output = [UInt8](repeating: 0, count: input.count + Self.tagLength)
        var (ignored, count, rest) = (Int32(0), Int32(0), Int32(0))
        guard EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, bytes, nonce, direction.rawValue) == 1,
            EVP_CipherUpdate(context, nil, &ignored, place, Int32(place.count)) == 1,
            EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)) == 1,
            direction == .sealing || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
        else { return nil }
        // GCM writes nothing here. The pointer only has to be valid.
        guard output.withUnsafeMutableBufferPointer({ EVP_CipherFinal_ex(context, $0.baseAddress.map { $0 + Int(count) }, &rest) }) == 1,
            direction == .opening || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
        else { return nil }
        return Array(output.prefix(Int(count)))
    }
}
