/// `Accept` (RFC 9110 12.5.1).
package struct Accept: Sendable {
    private let ranges: [WeightedList.Element]?

    package init(_ fields: Fields) { self.init(fields.combined("Accept")) }

    /// Without a value or a valid range, everything is acceptable.
    package init(_ value: String?) {
        let elements = value.map { WeightedList($0).elements.filter { $0.value.utf8.contains(Ascii.slash) } } ?? []
        ranges = elements.isEmpty ? nil : elements
    }

    /// The weight of a media type by the most specific range that matches it, in thousandths.
    package func quality(of mediaType: String) -> Int {
        WeightedList(mediaType).elements.first.map(quality) ?? 0
    }

    private func quality(of offer: WeightedList.Element) -> Int {
        guard let ranges else { return 1000 }
        var best = (specificity: -1, weight: 0)
        for range in ranges {
            guard let specificity = Self.specificity(of: range, for: offer) else { continue }
            if specificity > best.specificity { best = (specificity, range.weight) }
        }
        return best.weight
    }

    /// The offer with the highest weight, the first of equal ones; nil (406) if none is acceptable.
    /// - Parameter offers: in lower case.
    package func best(of offers: [String]) -> String? {
        // Nearly every client accepts */*.
        guard let ranges, ranges.count > 1 || ranges[0].value != "*/*" || ranges[0].weight == 0 else { return offers.first }
        var best: (offer: String, weight: Int)?
        for offer in offers {
            let hasParameters = offer.utf8.contains(UInt8(ascii: ";"))
            let weight = hasParameters ? quality(of: offer) : quality(of: WeightedList.Element(value: offer, parameters: [], weight: 1000))
            if weight > best?.weight ?? 0 { best = (offer, weight) }
        }
        return best?.offer
    }

    /// nil if the range does not match. A `charset` parameter is ignored, because every offer is UTF-8.
    private static func specificity(of range: WeightedList.Element, for offer: WeightedList.Element) -> Int? {
        if range.value == "*/*" { return 0 }
        if range.value.utf8.suffix(2).elementsEqual("/*".utf8) {
            return offer.value.utf8.starts(with: range.value.utf8.dropLast()) ? 1 : nil
        }
        guard range.value == offer.value else { return nil }
        let parameters = range.parameters.filter { $0.name != "charset" }
        let allMatch = parameters.allSatisfy { wanted in offer.parameters.contains { $0 == wanted } }
        return allMatch ? 2 + parameters.count : nil
    }
}
