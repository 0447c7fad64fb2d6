extension Timestamp {
    /// Reads RFC 3339: `2026-01-31T09:00:00Z`, with a fraction of a second (read to the millisecond) or another offset
    /// than `Z` where there is one.
    package init?(rfc3339 text: String) {
        guard text.utf8.count >= 20, text.utf8.allSatisfy({ $0 < 0x80 }),
            let time = CalendarTime(text.prefix(19) + "Z"),
            let (fraction, rest) = Self.fraction(text.dropFirst(19)), let offset = Self.minutes(ofOffset: rest)
        else { return nil }
        self.init(milliseconds: (time.secondsSince1970 - offset * 60) * 1000 + fraction)
    }

    /// - Returns: the milliseconds of `.123456`, and what is behind it.
    private static func fraction(_ text: Substring) -> (Int64, Substring)? {
        guard text.first == "." else { return (0, text) }
        let digits = text.dropFirst().prefix { ("0"..."9").contains($0) }
        guard (1...9).contains(digits.count), let milliseconds = Int64((String(digits) + "00").prefix(3)) else { return nil }
        return (milliseconds, text[digits.endIndex...])
    }

    /// `Z`, `+09:00` or `-03:30`.
    private static func minutes(ofOffset text: Substring) -> Int64? {
        if text == "Z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard let sign = text.first, sign == "+" || sign == "-", parts.count == 2,
            parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { ("0"..."9").contains($0) } }),
            let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 60 + minutes)
    }
}
