extension Duration {
    /// The limit of a duration: ten years, so that sums with times cannot overflow.
    private static let maxHours: Int64 = 24 * 366 * 10

    /// Parses the duration of a flag: a whole number with `ms`, `s`, `m` or `h`, such as `50ms`, `15s`, `5m`, `120h`.
    package init?(text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), let unit = Self.milliseconds(of: text.dropFirst(digits.count)),
            count <= Self.maxHours * 3_600_000 / unit
        else { return nil }
        self = .milliseconds(count * unit)
    }

    /// Whole milliseconds, rounded toward zero.
    package var inMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// In the largest unit that divides the duration: `2h`, `90s`, `50ms`.
    package var text: String {
        let milliseconds = inMilliseconds
        if milliseconds == 0 { return "0s" }
        // Not a loop over units: the compiler unrolled one into code that differed between two builds.
        if milliseconds % 3_600_000 == 0 { return "\(milliseconds / 3_600_000)h" }
        if milliseconds % 60_000 == 0 { return "\(milliseconds / 60_000)m" }
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }

    private static func milliseconds(of unit: Substring) -> Int64? {
        switch unit {
        case "ms": 1
        case "s": 1000
        case "m": 60_000
        case "h": 3_600_000
        default: nil
        }
    }
}
