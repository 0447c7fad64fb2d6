/// The parameters of a query, percent-decoded. A plus sign is a plus sign: builds are written with one.
package struct Query: Sendable {
    package struct Pair: Sendable {
        package let name: String
        package let value: String
    }

    package let pairs: [Pair]

    /// Nil when a name or value is not UTF-8.
    init?(_ text: Substring.UTF8View) {
        var pairs: [Pair] = []
        for part in text.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = percentDecoded(halves[0]), let value = halves.count == 2 ? percentDecoded(halves[1]) : "" else {
                return nil
            }
            pairs.append(Pair(name: name, value: value))
        }
        self.pairs = pairs
    }

    package init() {
        pairs = []
    }

    package subscript(name: String) -> String? {
        pairs.first { $0.name == name }?.value
    }

    /// Names that are given more than once.
    package var duplicates: [String] {
        var seen: Set<String> = []
        return pairs.map(\.name).filter { !seen.insert($0).inserted }
    }
}

/// Nil when an escape is broken or the bytes are not UTF-8.
func percentDecoded(_ bytes: some Collection<UInt8>) -> String? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
        guard byte == UInt8(ascii: "%") else {
            decoded.append(byte)
            continue
        }
        guard let high = iterator.next()?.hexDigit, let low = iterator.next()?.hexDigit else { return nil }
        decoded.append(high << 4 | low)
    }
    return String(validating: decoded, as: UTF8.self)
}
