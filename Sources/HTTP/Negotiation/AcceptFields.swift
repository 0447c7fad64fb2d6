import QuickActions

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

/// `Accept-Encoding` (RFC 9110 12.5.3).
package struct AcceptEncoding: Sendable {
    private let codings: [WeightedList.Element]?

    package init(_ fields: Fields) { self.init(fields.combined("Accept-Encoding")) }

    /// An empty value accepts only `identity`. Without the field, every coding is acceptable and none is preferred.
    package init(_ value: String?) {
        codings = value.map { WeightedList($0).elements }
    }

    /// The weight of a content coding in thousandths; `identity` is acceptable unless it is excluded.
    package func quality(of coding: String) -> Int {
        guard let codings else { return 1000 }
        let coding = Self.canonical(coding.lowercased())
        if let named = codings.first(where: { Self.canonical($0.value) == coding }) { return named.weight }
        let rest = codings.first { $0.value == "*" }
        if coding == "identity" { return rest?.weight == 0 ? 0 : 1 }
        return rest?.weight ?? 0
    }

    /// Whether the field accepts the coding, with a weight not below that of `identity`.
    package func prefers(_ coding: String) -> Bool {
        guard codings != nil else { return false }
        let weight = quality(of: coding)
        return weight > 0 && weight >= quality(of: "identity")
    }

    /// RFC 9110 8.4.1.3.
    private static func canonical(_ coding: String) -> String { coding == "x-gzip" ? "gzip" : coding }
}

/// `Accept-Language` (RFC 9110 12.5.4), parsed. `LanguagePreference` does the lookup.
package struct AcceptLanguage: Sendable {
    package struct Range: Sendable, Equatable {
        /// A language range (RFC 4647 2.1) in lower case, or `*`. `_` is read as `-`, because some clients send `ko_KR`.
        package let tag: String
        /// Thousandths, 1 to 1000.
        package let weight: Int
    }

    /// By descending weight; equal weights in the field's order.
    package let ranges: [Range]
    /// The ranges with `q=0`, which are not acceptable.
    package let excluded: [String]

    package init(_ value: String?) {
        let elements = value.map { WeightedList($0).elements } ?? []
        let sound = elements.filter(\.parameters.isEmpty)
            .map { Range(tag: Self.hyphenated($0.value), weight: $0.weight) }.filter { Self.isRange($0.tag) }
        let wanted = sound.filter { $0.weight > 0 }.enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }
        ranges = wanted.map(\.element)
        excluded = sound.filter { $0.weight == 0 }.map(\.tag)
    }

    private static func hyphenated(_ text: String) -> String {
        let underscore = UInt8(ascii: "_")
        guard text.utf8.contains(underscore) else { return text }
        return String(decoding: text.utf8.map { $0 == underscore ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    }

    /// `*` or subtags of one to eight letters or digits.
    private static func isRange(_ text: String) -> Bool {
        text == "*"
            || text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { subtag in
                (1...8).contains(subtag.count)
                    && subtag.allSatisfy { $0.isASCIILowercaseLetter || $0.isASCIIDigit }
            }
    }
}

/// A list whose elements have parameters and a weight (RFC 9110 12.4.2), such as the value of `Accept`.
struct WeightedList: Sendable {
    struct Element: Sendable {
        /// In lower case.
        let value: String
        /// In lower case, without the weight, unquoted.
        let parameters: [(name: String, value: String)]
        /// Thousandths, 0 to 1000.
        let weight: Int
    }

    let elements: [Element]

    /// The number of elements that are read: more than clients send, and a bound for the cost of a request.
    private static let limit = 32

    /// Ignores elements with a malformed weight or parameter, and those after the 32nd.
    init(_ value: String) {
        elements = [UInt8].elements(of: value, limit: Self.limit).compactMap(Self.element)
    }

    // Works on bytes instead of characters, because any client can cause this work with each request.
    private static func element(_ text: String) -> Element? {
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).lazy.map(trimmed)
        guard let value = parts.first, !value.isEmpty else { return nil }
        var parameters: [(name: String, value: String)] = []
        for part in parts.dropFirst() where !part.isEmpty {
            guard let equals = part.firstIndex(of: Ascii.equals) else { return nil }
            let name = lowercased(part[..<equals])
            let argument = part[part.index(after: equals)...]
            if name == "q" {
                // Parameters after the weight are extensions, which RFC 9110 12.5.1 has removed.
                guard let weight = weight(argument) else { return nil }
                return Element(value: lowercased(value), parameters: parameters, weight: weight)
            }
            parameters.append((name, String(decoding: argument.filter { $0 != Ascii.quote }, as: UTF8.self).lowercased()))
        }
        return Element(value: lowercased(value), parameters: parameters, weight: 1000)
    }

    private static func lowercased(_ text: Substring.UTF8View) -> String {
        let string = String(Substring(text))
        return text.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 >= 0x80 } ? string.lowercased() : string
    }

    /// `0` or `1`, with up to three digits after the point.
    private static func weight(_ text: Substring.UTF8View) -> Int? {
        let bytes = Array(text)
        guard let first = bytes.first, first == 0x30 || first == 0x31, bytes.count <= 5 else { return nil }
        var weight = first == 0x31 ? 1000 : 0
        guard bytes.count > 1 else { return weight }
        guard bytes[1] == 0x2E else { return nil }
        var scale = 100
        for byte in bytes.dropFirst(2) {
            guard ByteClass.digit.contains(byte) else { return nil }
            weight += Int(byte - Ascii.zero) * scale
            scale /= 10
        }
        return weight <= 1000 ? weight : nil
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text.drop(while: Ascii.isBlank)
        while let last = text.last, Ascii.isBlank(last) { text = text.dropLast() }
        return text
    }
}
