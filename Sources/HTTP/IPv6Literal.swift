/// `IPv6address` (RFC 3986 3.2.2), without its brackets.
enum IPv6Literal {
    /// Eight groups of 16 bits, the last two perhaps as an IPv4 address; `::` once for one group or more that are zero.
    static func isValid(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
        var groups = 0
        var isShortened = false
        var index = range.lowerBound
        if isShortening(bytes, index..<range.upperBound) {
            isShortened = true
            index &+= 2
        }
        while index < range.upperBound {
            let end = bytes.firstIndex(of: Ascii.colon, in: index..<range.upperBound) ?? range.upperBound
            if end == range.upperBound, isIPv4(bytes, in: index..<end) {
                groups &+= 2
            } else {
                guard isGroup(bytes, in: index..<end) else { return false }
                groups &+= 1
            }
            index = end
            guard index < range.upperBound else { break }
            if isShortening(bytes, index..<range.upperBound) {
                guard !isShortened else { return false }
                isShortened = true
                index &+= 2
            } else {
                index &+= 1
                guard index < range.upperBound else { return false }
            }
        }
        return isShortened ? groups < 8 : groups == 8
    }

    private static func isShortening(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.count > 1 && bytes[range.lowerBound] == Ascii.colon && bytes[range.lowerBound &+ 1] == Ascii.colon
    }

    private static func isGroup(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
        (1...4).contains(range.count) && range.allSatisfy { ByteClass.hexadecimal.contains(bytes[$0]) }
    }

    /// Four numbers of 0 to 255 without leading zeros.
    private static func isIPv4(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
        let parts = bytes.text(range).split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.utf8.allSatisfy(ByteClass.digit.contains) && UInt8(part).map { String($0) == part } ?? false
            }
    }
}
