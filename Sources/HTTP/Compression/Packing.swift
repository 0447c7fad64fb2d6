import CZlib

/// Packs bytes that have much in common with a sample: raw deflate (RFC 1951) with a preset dictionary and fixed codes, because
/// reading a table of codes would take longer than all the rest of unpacking some kilobytes.
package final class Packer {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// Nil when zlib cannot have its memory.
    package init?() {
        stream.initialize(to: z_stream())
        guard longpress_deflate_init_raw(stream, 6, packingWindowBits) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Nil where that would not be shorter.
    package func pack(_ bytes: [UInt8], sample: [UInt8]) -> [UInt8]? {
        guard deflateReset(stream) == Z_OK, deflateSetDictionary(stream, sample, UInt32(clamping: sample.count)) == Z_OK else { return nil }
        var bytes = bytes
        let packed = bytes.withUnsafeMutableBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
                stream.pointee.next_in = bytes.baseAddress
                stream.pointee.avail_in = UInt32(clamping: bytes.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(clamping: output.count)
                count = deflate(stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.pointee.avail_out) : 0
            }
        }
        return packed.isEmpty ? nil : packed
    }
}

/// Unpacks what `Packer` made.
package final class Unpacker {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// Nil when zlib cannot have its memory.
    package init?() {
        stream.initialize(to: z_stream())
        guard longpress_inflate_init_raw(stream, packingWindowBits) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// - Parameter count: how many bytes they were.
    /// - Returns: nil where it is not `count` bytes that were packed with this sample.
    package func unpack(_ packed: UnsafeBufferPointer<UInt8>, count: Int, sample: [UInt8]) -> [UInt8]? {
        guard inflateReset(stream) == Z_OK, inflateSetDictionary(stream, sample, UInt32(clamping: sample.count)) == Z_OK else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, unpacked in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: packed.baseAddress)
            stream.pointee.avail_in = UInt32(clamping: packed.count)
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(clamping: output.count)
            unpacked = inflate(stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.pointee.avail_out) : 0
        }
        return bytes.count == count ? bytes : nil
    }
}

/// 4 KiB: from most of a menu a sample of half as many can be reached, and all that is worked with stays in the processor's caches.
private let packingWindowBits: Int32 = 12
