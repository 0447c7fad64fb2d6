/// A list of ranges with weights, as `Accept-Language` has it (RFC 9110 section 12.4.2).
package struct WeightedRanges {
    /// Best first; of equal weight in their order.
    package let accepted: [String]
    /// Those with the weight zero.
    package let refused: [String]

    /// Elements that are malformed are passed over.
    package init(_ field: String) {
        let weighted = field.split(separator: ",").compactMap(WeightedElement.init)
        accepted =
            weighted.enumerated().filter { $1.weight > 0 }
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.value)
        refused = weighted.filter { $0.weight == 0 }.map(\.value)
    }
}

/// One element of a weighted list: `text/html;level=1;q=0.5`.
struct WeightedElement {
    let value: String
    let parameters: [String]
    /// In thousandths.
    let weight: Int

    init?(_ element: Substring) {
        let parts = element.split(separator: ";", omittingEmptySubsequences: false).map { $0.filter { $0 != " " && $0 != "\t" } }
        guard let first = parts.first, !first.isEmpty else { return nil }
        var weight = 1000
        var parameters: [String] = []
        for part in parts.dropFirst() {
            if part.lowercased().hasPrefix("q=") {
                guard let parsed = Self.weight(part.dropFirst(2)) else { return nil }
                weight = parsed
                break
            }
            if !part.isEmpty { parameters.append(part.lowercased()) }
        }
        value = first
        self.parameters = parameters
        self.weight = weight
    }

    /// `0`, `0.7`, `1.000`: at most three decimals, at most one.
    private static func weight(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts[0] == "0" || parts[0] == "1" else { return nil }
        let decimals = parts.count == 2 ? parts[1] : ""
        guard decimals.utf8.count <= 3, decimals.utf8.allSatisfy(\.isDigit) else { return nil }
        let fraction = Int(decimals + String(repeating: "0", count: 3 - decimals.utf8.count)) ?? 0
        let weight = (parts[0] == "1" ? 1000 : 0) + fraction
        return weight <= 1000 ? weight : nil
    }
}

/// The offer that an `Accept` field likes best, the earlier one among equals (RFC 9110 section 12.5.1); nil for none.
/// The most specific range that fits an offer gives its weight.
package func preferredMediaType(_ accept: String, offers: [String]) -> String? {
    let ranges = accept.split(separator: ",").compactMap(WeightedElement.init)
    var best: (offer: String, weight: Int)?
    for offer in offers {
        let type = offer.prefix { $0 != "/" }
        let fitting = ranges.compactMap { range -> (specificity: Int, weight: Int)? in
            guard range.parameters.isEmpty || range.parameters == ["charset=utf-8"] else { return nil }
            let value = range.value.lowercased()
            if value == offer { return (3, range.weight) }
            if value == "\(type)/*" { return (2, range.weight) }
            return value == "*/*" ? (1, range.weight) : nil
        }
        guard let weight = fitting.max(by: { $0.specificity < $1.specificity })?.weight, weight > 0 else { continue }
        if best.map({ weight > $0.weight }) ?? true { best = (offer, weight) }
    }
    return best?.offer
}

/// Whether an `Accept-Encoding` field likes gzip at least as much as no coding (RFC 9110 section 12.5.3).
package func acceptsGzip(_ acceptEncoding: String) -> Bool {
    let elements = acceptEncoding.split(separator: ",").compactMap(WeightedElement.init)
    func weight(_ names: Set<String>) -> Int? { elements.first { names.contains($0.value.lowercased()) }?.weight }
    let any = weight(["*"])
    guard let gzip = weight(["gzip", "x-gzip"]) ?? any, gzip > 0 else { return false }
    return gzip >= (weight(["identity"]) ?? 0)
}
