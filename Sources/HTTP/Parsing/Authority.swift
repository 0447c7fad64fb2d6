import QuickActions

/// `uri-host [ ":" port ]` (RFC 9110 7.2, RFC 3986 3.2.2), without user information.
enum Authority {
    /// Whether the range is a non-empty host, with or without a port from 0 to 65535.
    static func isValid(_ bytes: Span<UInt8>, in range: Range<Int>, portRequired: Bool = false) -> Bool {
        guard let first = range.first else { return false }
        var index = first
        if bytes[first] == UInt8(ascii: "[") {
            index &+= 1
            let start = index
            while index < range.upperBound, ByteClass.ipv6.contains(bytes[index]) { index &+= 1 }
            guard index < range.upperBound, bytes[index] == UInt8(ascii: "]"), IPAddress(v6: bytes.extracting(start..<index)) != nil else {
                return false
            }
            index &+= 1
        } else {
            while index < range.upperBound, ByteClass.registeredName.contains(bytes[index]) {
                if bytes[index] == Ascii.percent {
                    guard range.upperBound &- index > 2, ByteClass.hexadecimal.contains(bytes[index &+ 1]),
                        ByteClass.hexadecimal.contains(bytes[index &+ 2])
                    else { return false }
                }
                index &+= 1
            }
            guard index > first else { return false }
        }
        guard index < range.upperBound else { return !portRequired }
        guard bytes[index] == Ascii.colon else { return false }
        return isPort(bytes, in: index &+ 1..<range.upperBound, required: portRequired)
    }

    /// `*DIGIT`; RFC 3986 3.2.3 allows an empty port.
    private static func isPort(_ bytes: Span<UInt8>, in range: Range<Int>, required: Bool) -> Bool {
        guard !range.isEmpty else { return !required }
        guard range.count <= 5 else { return false }
        var port = 0
        for index in range {
            guard ByteClass.digit.contains(bytes[index]) else { return false }
            port = port &* 10 &+ Int(bytes[index] &- Ascii.zero)
        }
        return port <= 65535
    }
}
