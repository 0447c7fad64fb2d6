/// The tags of RFC 5646 section 2.2.8, registered before there were subtags: whole, whatever the grammar makes of them.
enum GrandfatheredTags {
    /// In lower case, with the tag that the IANA registry prefers, where it names one.
    static let preferred: [String: String?] = [
        // Irregular: the grammar refuses them.
        "en-gb-oed": "en-GB-oxendict", "i-ami": "ami", "i-bnn": "bnn", "i-default": nil, "i-enochian": nil, "i-hak": "hak",
        "i-klingon": "tlh", "i-lux": "lb", "i-mingo": nil, "i-navajo": "nv", "i-pwn": "pwn", "i-tao": "tao", "i-tay": "tay",
        "i-tsu": "tsu", "sgn-be-fr": "sfb", "sgn-be-nl": "vgt", "sgn-ch-de": "sgg",
        // Regular: the grammar lets them through.
        "art-lojban": "jbo", "cel-gaulish": nil, "no-bok": "nb", "no-nyn": "nn", "zh-guoyu": "cmn", "zh-hakka": "hak",
        "zh-min": nil, "zh-min-nan": "nan", "zh-xiang": "hsn",
    ]
}

extension LanguageTag {
    private static let withSynonym = Set(
        GrandfatheredTags.preferred.flatMap { [$0.key, $0.value].compactMap { $0 } }.compactMap { LanguageTag($0) })

    /// Whether another tag stands for the same language.
    var hasSynonym: Bool { Self.withSynonym.contains(self) }

    /// The tag that stands for the same language today: `tlh` for `i-klingon`. Most tags are their own.
    package var preferred: LanguageTag {
        GrandfatheredTags.preferred[description.lowercased()].flatMap { $0 }.flatMap { LanguageTag($0) } ?? self
    }
}
