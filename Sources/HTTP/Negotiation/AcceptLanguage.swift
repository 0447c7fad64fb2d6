import QuickActions

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

    package init(_ fields: Fields) { self.init(fields.combined("Accept-Language")) }

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
