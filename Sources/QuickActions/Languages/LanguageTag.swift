/// A BCP 47 language tag in canonical case (RFC 5646 section 2.1.1): `zh-Hant`, `pt-BR`. `_` is read as `-`, so that Foundation's locale
/// identifiers `zh-Hans_CN` and `en_US_POSIX` are accepted.
package struct LanguageTag: Hashable, Comparable, Sendable, TextRepresentable {
    package let description: String

    /// Nil unless the text is well-formed (RFC 5646 section 2.1). A grandfathered tag is not replaced by its preferred value.
    package init?(_ text: String) {
        if let common = Self.canonicalCommonTag(text) {
            description = common
            return
        }
        let subtags = text.lowercased().split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "_" }
        ).map(String.init)
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let isGrandfathered = GrandfatheredTags.preferred.keys.contains(subtags.joined(separator: "-"))
        guard isGrandfathered || LanguageTagGrammar(subtags).isWellFormed else { return nil }
        description = Self.canonicalCase(subtags)
    }

    /// The fast path for the most frequent forms, `language` and `language-REGION`; nil for others. A request may have a dozen tags.
    private static func canonicalCommonTag(_ text: String) -> String? {
        var bytes = Array(text.utf8)
        guard bytes.count <= 6, bytes.allSatisfy({ $0.isASCIILetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }),
            let length = bytes.firstIndex(where: { !$0.isASCIILetter }) ?? Optional(bytes.count), (2...3).contains(length)
        else { return nil }
        for index in 0..<length { bytes[index] |= 0x20 }
        if bytes.count > length {
            guard bytes.count == length + 3, bytes[length + 1].isASCIILetter, bytes[length + 2].isASCIILetter else { return nil }
            bytes[length] = UInt8(ascii: "-")
            for index in length + 1...length + 2 { bytes[index] &= 0xDF }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private init(canonical: String) {
        description = canonical
    }

    package static func < (left: LanguageTag, right: LanguageTag) -> Bool { left.description < right.description }

    /// The tags that RFC 4647 section 3.4 tries for this range, in order: the tag, then shorter prefixes. For Chinese, the script that
    /// Apple's systems use in the region is tried after the region.
    package var lookupChain: [LanguageTag] {
        var chain: [LanguageTag] = []
        var subtags = description.split(separator: "-")
        while !subtags.isEmpty {
            let tag = LanguageTag(canonical: subtags.joined(separator: "-"))
            chain.append(tag)
            if let script = Self.chineseScripts[tag.description], !chain.contains(where: \.namesChineseScript) {
                chain.append(LanguageTag(canonical: script))
            }
            subtags.removeLast()
            if subtags.last?.utf8.count == 1 { subtags.removeLast() }
        }
        return chain
    }

    private var namesChineseScript: Bool {
        description.hasPrefix("zh-Hant") || description.hasPrefix("zh-Hans")
    }

    private static let chineseScripts = [
        "zh-TW": "zh-Hant", "zh-HK": "zh-Hant", "zh-MO": "zh-Hant",
        "zh": "zh-Hans", "zh-CN": "zh-Hans", "zh-SG": "zh-Hans",
    ]

    /// Regions in upper case, scripts in title case, the rest in lower case. Subtags after a singleton stay in lower case.
    private static func canonicalCase(_ subtags: [String]) -> String {
        var afterSingleton = false
        let cased = subtags.enumerated().map { index, subtag in
            defer { afterSingleton = afterSingleton || subtag.count == 1 }
            guard index > 0, !afterSingleton, subtag.utf8.allSatisfy({ $0.isASCIILetter }) else { return subtag }
            switch subtag.utf8.count {
            case 2: return subtag.uppercased()
            case 4: return subtag.prefix(1).uppercased() + subtag.dropFirst()
            default: return subtag
            }
        }
        return cased.joined(separator: "-")
    }
}

/// RFC 5646 section 2.1: language, script, region, variants, extensions, private use, in this order.
private struct LanguageTagGrammar {
    private var subtags: ArraySlice<String>

    init(_ subtags: [String]) {
        self.subtags = subtags[...]
    }

    var isWellFormed: Bool {
        var rest = self
        if rest.subtags.first == "x" { return rest.takePrivateUse() }
        guard let language = rest.subtags.first,
            rest.take({ (2...8).contains($0.utf8.count) && $0.utf8.allSatisfy({ $0.isASCIILetter }) })
        else { return false }
        // Only a language of two or three letters may have extended language subtags.
        for _ in 0..<(language.utf8.count < 4 ? 3 : 0) { _ = rest.take { $0.utf8.count == 3 && $0.utf8.allSatisfy({ $0.isASCIILetter }) } }
        _ = rest.take { $0.utf8.count == 4 && $0.utf8.allSatisfy({ $0.isASCIILetter }) }
        _ = rest.take {
            ($0.utf8.count == 2 && $0.utf8.allSatisfy({ $0.isASCIILetter }))
                || ($0.utf8.count == 3 && $0.utf8.allSatisfy({ $0.isASCIIDigit }))
        }
        while rest.take({ $0.isVariant }) {}
        while let singleton = rest.subtags.first, singleton.utf8.count == 1, singleton != "x" {
            rest.subtags.removeFirst()
            guard rest.take({ $0.isAlphanumeric(2...8) }) else { return false }
            while rest.take({ $0.isAlphanumeric(2...8) }) {}
        }
        return rest.subtags.isEmpty || rest.takePrivateUse()
    }

    private mutating func take(_ fits: (String) -> Bool) -> Bool {
        guard let subtag = subtags.first, fits(subtag) else { return false }
        subtags.removeFirst()
        return true
    }

    private mutating func takePrivateUse() -> Bool {
        guard subtags.first == "x" else { return false }
        let rest = subtags.dropFirst()
        return !rest.isEmpty && rest.allSatisfy { $0.isAlphanumeric(1...8) }
    }
}

extension String {
    fileprivate var isVariant: Bool {
        isAlphanumeric(5...8) || (isAlphanumeric(4...4) && utf8.first?.isASCIIDigit == true)
    }

    fileprivate func isAlphanumeric(_ length: ClosedRange<Int>) -> Bool {
        length.contains(utf8.count) && utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }
}

/// The grandfathered tags (RFC 5646 section 2.2.8). They were registered before the grammar existed and are valid as a whole.
enum GrandfatheredTags {
    /// By tag in lower case: the Preferred-Value in the IANA registry, or nil.
    static let preferred: [String: String?] = [
        // Irregular: invalid by the grammar.
        "en-gb-oed": "en-GB-oxendict", "i-ami": "ami", "i-bnn": "bnn", "i-default": nil, "i-enochian": nil, "i-hak": "hak",
        "i-klingon": "tlh", "i-lux": "lb", "i-mingo": nil, "i-navajo": "nv", "i-pwn": "pwn", "i-tao": "tao", "i-tay": "tay",
        "i-tsu": "tsu", "sgn-be-fr": "sfb", "sgn-be-nl": "vgt", "sgn-ch-de": "sgg",
        // Regular: valid by the grammar.
        "art-lojban": "jbo", "cel-gaulish": nil, "no-bok": "nb", "no-nyn": "nn", "zh-guoyu": "cmn", "zh-hakka": "hak",
        "zh-min": nil, "zh-min-nan": "nan", "zh-xiang": "hsn",
    ]
}

extension LanguageTag {
    private static let withSynonym = Set(
        GrandfatheredTags.preferred.flatMap { [$0.key, $0.value].compactMap { $0 } }.compactMap { LanguageTag($0) })

    /// Whether another tag means the same language.
    var hasSynonym: Bool { Self.withSynonym.contains(self) }

    /// The Preferred-Value of a grandfathered tag: `tlh` for `i-klingon`. Other tags return themselves.
    package var preferred: LanguageTag {
        GrandfatheredTags.preferred[description.lowercased()].flatMap { $0 }.flatMap { LanguageTag($0) } ?? self
    }
}
