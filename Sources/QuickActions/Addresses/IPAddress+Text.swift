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
