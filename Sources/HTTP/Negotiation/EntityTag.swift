/// An entity tag (RFC 9110 8.8.3).
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The text between the quotes.
    package let opaque: String
    package let isWeak: Bool

    /// Drops bytes that no tag may contain, such as quotes.
    package init(opaque: String, isWeak: Bool = false) {
        self.opaque = String(decoding: opaque.utf8.filter(Self.isOpaque), as: UTF8.self)
        self.isWeak = isWeak
    }

    /// Parses `"42"` or `W/"42"`.
    package init?(_ text: String) {
        let isWeak = text.hasPrefix("W/")
        let quoted = text.utf8.dropFirst(isWeak ? 2 : 0)
        guard quoted.count >= 2, quoted.first == Ascii.quote, quoted.last == Ascii.quote else { return nil }
        let opaque = quoted.dropFirst().dropLast()
        guard opaque.allSatisfy(Self.isOpaque) else { return nil }
        self.opaque = String(decoding: opaque, as: UTF8.self)
        self.isWeak = isWeak
    }

    package var description: String { (isWeak ? "W/" : "") + "\"" + opaque + "\"" }

    /// RFC 9110 8.8.3.2.
    package func stronglyEquals(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }
    /// RFC 9110 8.8.3.2.
    package func weaklyEquals(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Whether the value of an `If-None-Match` is `*` or contains the strong `tag` (with its quotes), by weak comparison
    /// (RFC 9110 13.1.2). A malformed list matches nothing. Does not allocate.
    @inline(__always)
    package static func isListed(_ tag: Span<UInt8>, in ifNoneMatch: Span<UInt8>) -> Bool {
        // Most clients send one tag.
        ifNoneMatch.isEqual(to: tag) || isFound(tag, in: ifNoneMatch)
    }

    private static func isFound(_ tag: Span<UInt8>, in ifNoneMatch: Span<UInt8>) -> Bool {
        if ifNoneMatch.count == 1, ifNoneMatch[0] == Ascii.asterisk { return true }
        var index = 0
        var isListed = false
        while index < ifNoneMatch.count {
            let byte = ifNoneMatch[index]
            if Ascii.isBlank(byte) || byte == Ascii.comma {
                index &+= 1
                continue
            }
            if byte == UInt8(ascii: "W") {
                guard index &+ 1 < ifNoneMatch.count, ifNoneMatch[index &+ 1] == Ascii.slash else { return false }
                index &+= 2
            }
            guard index < ifNoneMatch.count, ifNoneMatch[index] == Ascii.quote else { return false }
            let start = index &+ 1
            guard let end = ifNoneMatch.firstIndex(of: Ascii.quote, in: start..<ifNoneMatch.count) else { return false }
            for place in start..<end where !isOpaque(ifNoneMatch[place]) { return false }
            isListed = isListed || ifNoneMatch.extracting(start &- 1..<end &+ 1).isEqual(to: tag)
            index = end &+ 1
            while index < ifNoneMatch.count, Ascii.isBlank(ifNoneMatch[index]) { index &+= 1 }
            guard index == ifNoneMatch.count || ifNoneMatch[index] == Ascii.comma else { return false }
        }
        return isListed
    }

    private static func isOpaque(_ byte: UInt8) -> Bool { byte >= 0x80 || ByteClass.entityTag.contains(byte) }
}

/// The value of `If-Match` or `If-None-Match` (RFC 9110 13.1.1, 13.1.2).
package enum EntityTagList: Equatable, Sendable {
    case any
    case tags([EntityTag])

    /// Parses `*` or a list of at least one tag.
    package init?(_ value: String) {
        if value == "*" {
            self = .any
            return
        }
        guard let tags = Self.tags(Array(value.utf8)), !tags.isEmpty else { return nil }
        self = .tags(tags)
    }

    /// A tag may contain commas and backslashes, so that `forEachElement` cannot split the list.
    private static func tags(_ bytes: [UInt8]) -> [EntityTag]? {
        var tags: [EntityTag] = []
        var rest = bytes[...]
        while true {
            rest = rest.drop { Ascii.isBlank($0) || $0 == Ascii.comma }
            guard let quote = rest.firstIndex(of: Ascii.quote) else { return rest.isEmpty ? tags : nil }
            let isQuote = { (byte: UInt8) in byte == Ascii.quote }
            guard let end = rest[(quote + 1)...].firstIndex(where: isQuote),
                let tag = EntityTag(String(decoding: rest[...end], as: UTF8.self))
            else { return nil }
            tags.append(tag)
            rest = rest[(end + 1)...].drop(while: Ascii.isBlank)
            guard rest.isEmpty || rest.first == Ascii.comma else { return nil }
        }
    }
}
