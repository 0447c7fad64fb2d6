import CZlib

/// Compresses bytes that have much in common with a preset dictionary (RFC 1951; zlib's `deflateSetDictionary`). The codes are fixed
/// ones, because reading a table of codes would take longer than all the rest of inflating some kilobytes.
///
/// Used by one thread at a time.
package final class Deflater {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// Nil when zlib cannot have its memory.
    package init?() {
        stream.initialize(to: z_stream())
        guard longpress_deflate_init_raw(stream, 6, windowBits) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Nil where that would not be shorter.
    package func deflate(_ bytes: [UInt8], dictionary: [UInt8]) -> [UInt8]? {
        guard deflateReset(stream) == Z_OK, deflateSetDictionary(stream, dictionary, UInt32(clamping: dictionary.count)) == Z_OK
        else { return nil }
        var bytes = bytes
        let deflated = bytes.withUnsafeMutableBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
                stream.pointee.next_in = bytes.baseAddress
                stream.pointee.avail_in = UInt32(clamping: bytes.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(clamping: output.count)
                count = CZlib.deflate(stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.pointee.avail_out) : 0
            }
        }
        // In memory of its own size: the array above has room for what was deflated.
        return deflated.isEmpty ? nil : deflated.withUnsafeBufferPointer { Array($0) }
    }
}

/// The way back. Used by one thread at a time.
package final class Inflater {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// Nil when zlib cannot have its memory.
    package init?() {
        stream.initialize(to: z_stream())
        guard longpress_inflate_init_raw(stream, windowBits) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// - Parameter count: how many bytes they were.
    /// - Returns: nil where it is not `count` bytes that were deflated with this dictionary.
    package func inflate(_ deflated: [UInt8], count: Int, dictionary: [UInt8]) -> [UInt8]? {
        guard inflateReset(stream) == Z_OK, inflateSetDictionary(stream, dictionary, UInt32(clamping: dictionary.count)) == Z_OK
        else { return nil }
        let bytes = deflated.withUnsafeBufferPointer { deflated in
            [UInt8](unsafeUninitializedCapacity: count) { output, inflated in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: deflated.baseAddress)
                stream.pointee.avail_in = UInt32(clamping: deflated.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(clamping: output.count)
                inflated = CZlib.inflate(stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.pointee.avail_out) : 0
            }
        }
        return bytes.count == count ? bytes : nil
    }
}

/// 4 KiB: from most of a menu a dictionary of half as many bytes can be reached, and all that is worked with stays in the processor's
/// caches.
private let windowBits: Int32 = 12
