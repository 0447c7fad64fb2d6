import QuickActions

extension Span<UInt8> {
    /// Whether both have the same bytes. Does not allocate.
    @inline(__always)
    package func isEqual(to bytes: [UInt8]) -> Bool { isEqual(to: bytes.span) }

    /// Whether both have the same bytes. Compares eight bytes at a time, because this is most of the work of a fetch.
    @inline(__always)
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index &+ 8 <= count {
            guard word(at: index) == other.word(at: index) else { return false }
            index &+= 8
        }
        while index < count {
            guard self[index] == other[index] else { return false }
            index &+= 1
        }
        return true
    }

    /// The eight bytes from `index` on; the first is the least significant.
    @inline(__always)
    private func word(at index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Whether all bytes of `range` are `ByteClass.isFieldValue`.
    @inline(__always)
    func isFieldValue(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index &+ 8 <= range.upperBound, !Self.mayHaveControl(word(at: index)) { index &+= 8 }
        while index < range.upperBound {
            guard ByteClass.isFieldValue(self[index]) else { return false }
            index &+= 1
        }
        return true
    }

    /// Whether one of the eight bytes is below 0x20 or DEL. It is also true for a tab, which is allowed, so the caller must check each
    /// byte.
    @inline(__always)
    private static func mayHaveControl(_ word: UInt64) -> Bool {
        let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        let delete = word ^ (0x7F &* ones)
        return ((word &- 0x20 &* ones) & ~word | (delete &- ones) & ~delete) & tops != 0
    }

    /// Whether the bytes of `range` are `name`, ignoring case.
    ///
    /// Words of eight bytes are compared with the bit 0x20 set in each byte. Without control bytes, that folds letters, and equates `@`,
    /// `[`, `\`, `]`, `^` and `_` with bytes that no `name` contains.
    /// - Parameter name: in lower case.
    @inline(__always)
    func spells(_ name: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { name in
            var offset = 0
            while offset &+ 8 <= name.count {
                let wanted = UInt64(littleEndian: UnsafeRawBufferPointer(name).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                guard word(at: range.lowerBound &+ offset) | 0x2020_2020_2020_2020 == wanted else { return false }
                offset &+= 8
            }
            for offset in offset..<name.count
            where self[range.lowerBound &+ offset].asciiLowercased != name[offset] { return false }
            return true
        }
    }

    /// The range without spaces and tabs at its ends (`OWS`, RFC 9110 5.6.3).
    @inline(__always)
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, Ascii.isBlank(self[lower]) { lower &+= 1 }
        while upper > lower, Ascii.isBlank(self[upper &- 1]) { upper &-= 1 }
        return lower..<upper
    }

    /// The first index of `byte` in `range`, or nil.
    @inline(__always)
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        var index = range.lowerBound
        while index &+ 8 <= range.upperBound {
            // A byte is zero where it equals `byte`; the lowest bit set in `zeros` belongs to the first of them.
            let difference = word(at: index) ^ (UInt64(byte) &* ones)
            let zeros = (difference &- ones) & ~difference & tops
            if zeros != 0 { return index &+ zeros.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < range.upperBound {
            if self[index] == byte { return index }
            index &+= 1
        }
        return nil
    }

    /// The bytes of `range` decoded as UTF-8, with replacement characters.
    package func text(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with each element of the comma-separated list in `range`, trimmed, including empty elements. A comma in a quoted string
    /// does not separate (RFC 9110 5.6.1, 5.6.4). Does not allocate.
    @inline(__always)
    func forEachElement<E: Error>(in range: Range<Int>, _ body: (Range<Int>) throws(E) -> Void) throws(E) {
        var start = range.lowerBound
        var index = start
        var quoted = false
        while index < range.upperBound {
            let byte = self[index]
            if quoted, byte == Ascii.backslash {
                index &+= 1
            } else if byte == Ascii.quote {
                quoted.toggle()
            } else if byte == Ascii.comma, !quoted {
                try body(trimmed(start..<index))
                start = index &+ 1
            }
            index &+= 1
        }
        try body(trimmed(start..<range.upperBound))
    }
}

/// Stops `forEachElement`.
private struct LimitReached: Error {}

extension [UInt8] {
    /// The non-empty elements of a list-valued field; see `Span.forEachElement`.
    /// - Parameter limit: the number of elements that are read. Further elements are ignored.
    static func elements(of value: String, limit: Int = .max) -> [String] {
        let bytes = Array(value.utf8)
        let span = bytes.span
        var elements: [String] = []
        try? span.forEachElement(in: 0..<span.count) { range throws(LimitReached) in
            if elements.count == limit { throw LimitReached() }
            if !range.isEmpty { elements.append(span.text(range)) }
        }
        return elements
    }
}
