/// A time in milliseconds since 1970, UTC. Its text is RFC 3339.
package struct Timestamp: Hashable, Comparable, Sendable, TextRepresentable, TextParsable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package var description: String {
        // Integer arithmetic: floating point would lose a millisecond for some values.
        let fraction = ((milliseconds % 1000) + 1000) % 1000
        let seconds = CalendarTime(secondsSince1970: (milliseconds - fraction) / 1000).text
        let digits = String(1000 + fraction).dropFirst()
        return "\(seconds.dropLast()).\(digits)Z"
    }

    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds + duration.inMilliseconds)
    }

    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp {
    /// Parses RFC 3339 (section 5.6): `2026-01-31T09:00:00Z`, `2026-01-31T10:00:00.5+01:00`. Finer fractions are rounded up to a
    /// millisecond, so that scheduled changes never run early.
    package init?(_ text: String) {
        // Section 5.6: T and Z may be in lower case.
        let bytes = Array(text.uppercased().utf8)
        guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"),
            let seconds = CalendarTime(String(decoding: bytes.prefix(19), as: UTF8.self) + "Z")?.secondsSince1970
        else { return nil }
        var rest = bytes.dropFirst(19)
        var milliseconds: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: \.isASCIIDigit)
            guard (1...9).contains(digits.count) else { return nil }
            for place in 0..<3 {
                let digit = digits.dropFirst(place).first.map { Int64($0 - UInt8(ascii: "0")) } ?? 0
                milliseconds = milliseconds * 10 + digit
            }
            if digits.dropFirst(3).contains(where: { $0 != UInt8(ascii: "0") }) { milliseconds += 1 }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = Self.offsetInSeconds(Array(rest)) else { return nil }
        self.init(milliseconds: (seconds - offset) * 1000 + milliseconds)
    }

    /// Without the fraction if it is zero, as people write times.
    package var shortText: String {
        milliseconds % 1000 == 0 ? CalendarTime(secondsSince1970: milliseconds / 1000).text : description
    }

    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not a time. Use RFC 3339, for example 2026-01-31T09:00:00Z."
    }

    /// `Z`, or hours and minutes east of UTC.
    private static func offsetInSeconds(_ zone: [UInt8]) -> Int64? {
        if zone == Array("Z".utf8) { return 0 }
        guard zone.count == 6, let sign = zone.first, zone[3] == UInt8(ascii: ":") else { return nil }
        let digits = [zone[1], zone[2], zone[4], zone[5]].map { Int64($0) - Int64(UInt8(ascii: "0")) }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hours < 24, minutes < 60 else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        switch sign {
        case UInt8(ascii: "+"): return seconds
        case UInt8(ascii: "-"): return -seconds
        default: return nil
        }
    }
}
