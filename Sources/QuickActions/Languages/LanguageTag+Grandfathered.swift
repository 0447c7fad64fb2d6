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
