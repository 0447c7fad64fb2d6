/// The chunked transfer coding (RFC 9112 section 7.1).
package enum ChunkEncoder {
    /// One chunk. Empty for no bytes, because an empty chunk would end the body.
    package static func chunk(_ bytes: some Collection<UInt8>) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [Ascii.carriageReturn, Ascii.lineFeed]
    }

    /// The end of a body without trailer fields.
    package static let end = Array("0\r\n\r\n".utf8)
}
