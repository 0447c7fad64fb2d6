/// A list whose elements have parameters and a weight (RFC 9110 12.4.2), such as `Accept`.
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

    /// Elements with a malformed weight or parameter are left out.
    init(_ value: String) {
        elements = [UInt8].elements(of: value).compactMap(Self.element)
    }

    private static func element(_ text: String) -> Element? {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard let value = parts.first, !value.isEmpty else { return nil }
        var parameters: [(name: String, value: String)] = []
        for part in parts.dropFirst() where !part.isEmpty {
            guard let equals = part.firstIndex(of: "=") else { return nil }
            let name = part[..<equals].lowercased()
            let argument = part[part.index(after: equals)...]
            if name == "q" {
                // What follows the weight are extensions that nobody has ever used (RFC 9110 12.5.1).
                guard let weight = weight(argument) else { return nil }
                return Element(value: value.lowercased(), parameters: parameters, weight: weight)
            }
            parameters.append((name, argument.filter { $0 != "\"" }.lowercased()))
        }
        return Element(value: value.lowercased(), parameters: parameters, weight: 1000)
    }

    /// `0` or `1`, with up to three digits after the point.
    private static func weight(_ text: Substring) -> Int? {
        let bytes = Array(text.utf8)
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

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        return text
    }
}
