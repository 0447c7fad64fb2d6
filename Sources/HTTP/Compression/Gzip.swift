import CZlib

/// The bytes as a gzip member (RFC 1952); nil when zlib cannot have its memory.
package func gzip(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
    var stream = z_stream()
    guard longpress_deflate_init_gzip(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    let bound = Int(deflateBound(&stream, UInt(bytes.count)))
    return input.withUnsafeMutableBufferPointer { input in
        let compressed = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(clamping: output.count)
            count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : 0
        }
        return compressed.isEmpty ? nil : compressed
    }
}
