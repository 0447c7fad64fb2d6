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
