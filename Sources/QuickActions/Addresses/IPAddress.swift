/// An IPv4 or IPv6 address. An IPv4-mapped address (`::ffff:0:0/96`) is normalized to its IPv4 address.
package struct IPAddress: Hashable, Sendable {
    package enum Family: Sendable { case v4, v6 }

    package let family: Family
    /// The first and the last 64 bits. An IPv4 address is in the low 32 bits of `low`.
    package let high: UInt64, low: UInt64

    private init(v6 high: UInt64, _ low: UInt64) {
        let isMapped = high == 0 && low >> 32 == 0xFFFF
        family = isMapped ? .v4 : .v6
        (self.high, self.low) = (high, isMapped ? low & 0xFFFF_FFFF : low)
    }

    private init(v4 number: UInt32) {
        (family, high, low) = (.v4, 0, UInt64(number))
    }

    /// - Parameter bytes: 4 or 16 bytes in network order.
    package init?(bytes: some Collection<UInt8>) {
        func number(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self.init(v4: UInt32(number(bytes)))
        case 16: self.init(v6: number(bytes.prefix(8)), number(bytes.dropFirst(8)))
        default: return nil
        }
    }

    /// Dotted decimal with four parts and no leading zeros, or RFC 4291 text without a zone.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        if let v4 = Self.v4(bytes.span) {
            self.init(v4: v4)
        } else {
            self.init(v6: bytes.span)
        }
    }

    /// Parses `IPv6address` (RFC 3986 section 3.2.2), without brackets: eight groups of 16 bits, of which the last two may be an IPv4
    /// address, and at most one `::` for one or more zero groups.
    package init?(v6 bytes: Span<UInt8>) {
        // The groups before and after the `::`. Without a `::`, all groups are in `front`.
        var groups = (front: Groups(), back: Groups())
        var isShortened = false
        var index = 0
        func isShortening() -> Bool { index + 1 < bytes.count && bytes[index] == colon && bytes[index + 1] == colon }
        func add(_ group: UInt16) { isShortened ? groups.back.add(group) : groups.front.add(group) }
        if isShortening() {
            isShortened = true
            index = 2
        }
        while index < bytes.count {
            var end = index
            while end < bytes.count, bytes[end] != colon { end += 1 }
            let part = bytes.extracting(index..<end)
            if end == bytes.count, let v4 = Self.v4(part) {
                add(UInt16(v4 >> 16))
                add(UInt16(truncatingIfNeeded: v4))
            } else {
                guard let group = Self.group(part) else { return nil }
                add(group)
            }
            index = end
            guard index < bytes.count else { break }
            if isShortening() {
                guard !isShortened else { return nil }
                isShortened = true
                index += 2
            } else {
                index += 1
                guard index < bytes.count else { return nil }
            }
        }
        let count = groups.front.count + groups.back.count
        guard isShortened ? count < 8 : count == 8 else { return nil }
        let front = groups.front.shifted(by: 8 - groups.front.count)
        self.init(v6: front.high | groups.back.high, front.low | groups.back.low)
    }

    package var bytes: [UInt8] {
        let count = family == .v4 ? 4 : 16
        return (16 - count..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(8 * (7 - $0 % 8))) }
    }

    /// Four numbers of 0 to 255 without leading zeros.
    private static func v4(_ bytes: Span<UInt8>) -> UInt32? {
        guard bytes.count <= 15 else { return nil }
        var number: UInt32 = 0
        var (part, digits, parts) = (UInt32(0), 0, 1)
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") {
                guard digits > 0, parts < 4 else { return nil }
                number = number << 8 | part
                (part, digits, parts) = (0, 0, parts + 1)
            } else {
                guard byte.isASCIIDigit, digits == 0 || part > 0 else { return nil }
                part = part * 10 + UInt32(byte - UInt8(ascii: "0"))
                digits += 1
                guard part <= 255 else { return nil }
            }
        }
        return parts == 4 && digits > 0 ? number << 8 | part : nil
    }

    /// One to four hexadecimal digits.
    private static func group(_ bytes: Span<UInt8>) -> UInt16? {
        guard (1...4).contains(bytes.count) else { return nil }
        var group: UInt16 = 0
        for index in bytes.indices {
            guard let digit = bytes[index].hexadecimalValue else { return nil }
            group = group << 4 | UInt16(digit)
        }
        return group
    }
}

private let colon = UInt8(ascii: ":")

/// Up to eight groups of 16 bits as a 128-bit number; `add` shifts left.
private struct Groups {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var count = 0

    mutating func add(_ group: UInt16) {
        (high, low) = (high << 16 | low >> 48, low << 16 | UInt64(group))
        count += 1
    }

    func shifted(by groups: Int) -> Groups {
        var shifted = self
        for _ in 0..<groups { shifted.add(0) }
        return shifted
    }
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal, or the text of RFC 5952: the longest run of at least two zero groups is `::`. An IPv4-compatible address (RFC 4291
    /// section 2.5.5.1) ends in dotted decimal, as `inet_ntop(3)` writes it.
    package var description: String {
        guard family == .v6 else { return dotted }
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: ($0 < 4 ? high : low) >> UInt64(16 * (3 - $0 % 4))) }
        let zeros = longestRunOfZeros(in: groups)
        guard zeros != 0..<6 else { return "::\(dotted)" }
        func text(_ range: Range<Int>) -> String { groups[range].map { String($0, radix: 16) }.joined(separator: ":") }
        return zeros.isEmpty ? text(0..<8) : "\(text(0..<zeros.lowerBound))::\(text(zeros.upperBound..<8))"
    }

    private var dotted: String {
        (0..<4).map { String(low >> UInt64(8 * (3 - $0)) & 0xFF) }.joined(separator: ".")
    }
}

/// The first of the longest runs of at least two zero groups; empty if there is no such run.
private func longestRunOfZeros(in groups: [UInt16]) -> Range<Int> {
    var longest = 0..<0
    var start = 0
    for index in 0...groups.count where index == groups.count || groups[index] != 0 {
        if index - start > max(longest.count, 1) { longest = start..<index }
        start = index + 1
    }
    return longest
}
