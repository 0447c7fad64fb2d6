import CZlib

/// Compresses bytes with a preset dictionary that has much in common with them (RFC 1951; zlib's `deflateSetDictionary`). It uses fixed
/// Huffman codes, because to read a table of dynamic codes takes longer than all else of inflating some kilobytes.
///
/// One thread at a time may use it.
package final class Deflater {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// Nil if zlib cannot allocate memory.
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

    /// Nil if the result would not be shorter.
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

/// Inflates what a `Deflater` has compressed. One thread at a time may use it.
package final class Inflater {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// Nil if zlib cannot allocate memory.
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

    /// - Parameter count: the size of the inflated bytes.
    /// - Returns: nil if the input is not `count` bytes that were deflated with this dictionary.
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

/// A window of 4 KiB: half of it reaches the dictionary from most of a menu, and the state of zlib fits into the processor's caches.
private let windowBits: Int32 = 12
