import CZlib

/// The bytes as a gzip member (RFC 1952); nil if zlib cannot allocate memory.
package func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    // A window as large as the input compresses as well as a larger one, and zlib clears less memory for it.
    let windowBits: Int32 = bytes.count <= 8 << 10 ? 13 : 15
    return deflated(bytes, end: Z_FINISH) { longpress_deflate_init_gzip(&$0, 6, windowBits) }
}

/// The end of a gzip member, compressed before its beginning is known (RFC 1951, RFC 1952). It has no references into the preceding bytes.
package struct GzipTail: Sendable {
    package let deflated: [UInt8]
    /// The number of uncompressed bytes.
    private let count: Int
    private let checksum: UInt32

    /// Nil if zlib cannot allocate memory.
    package init?(_ bytes: [UInt8]) {
        guard let deflated = HTTP.deflated(bytes, end: Z_FINISH, { longpress_deflate_init_raw(&$0, 6) }) else { return nil }
        self.deflated = deflated
        count = bytes.count
        checksum = crc(of: bytes)
    }

    /// A gzip member of `head` and the bytes given to `init`; nil if zlib cannot allocate memory.
    package func member(behind head: [UInt8]) -> [UInt8]? {
        // Z_SYNC_FLUSH ends at a byte boundary without a last block.
        guard let start = HTTP.deflated(head, end: Z_SYNC_FLUSH, { longpress_deflate_init_raw(&$0, 1) }) else { return nil }
        let checksum = UInt32(truncatingIfNeeded: crc32_combine(UInt(crc(of: head)), UInt(checksum), count))
        let size = UInt32(truncatingIfNeeded: head.count + count)
        var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        member.reserveCapacity(18 + start.count + deflated.count)
        member += start
        member += deflated
        for number in [checksum, size] { withUnsafeBytes(of: number.littleEndian) { member += $0 } }
        return member
    }
}

private func crc(of bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(clamping: bytes.count)))
}

/// Compresses all bytes in one call.
/// - Parameters:
///   - end: Z_FINISH or Z_SYNC_FLUSH.
///   - begin: initializes the stream.
/// - Returns: nil if zlib cannot allocate memory.
private func deflated(_ bytes: [UInt8], end: Int32, _ begin: (inout z_stream) -> Int32) -> [UInt8]? {
    var stream = z_stream()
    guard begin(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    let bound = Int(deflateBound(&stream, UInt(bytes.count))) + 16
    return input.withUnsafeMutableBufferPointer { input in
        let compressed = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(clamping: output.count)
            let status = deflate(&stream, end)
            let isWhole = status == (end == Z_FINISH ? Z_STREAM_END : Z_OK) && stream.avail_in == 0
            count = isWhole ? output.count - Int(stream.avail_out) : 0
        }
        return compressed.isEmpty ? nil : compressed
    }
}
