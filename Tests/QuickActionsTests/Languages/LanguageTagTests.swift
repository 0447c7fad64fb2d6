import Testing

@testable import QuickActions

@Suite struct LanguageTagTests {
    @Test(arguments: [
        ("en", "en"), ("EN_us", "en-US"), ("zh_hant", "zh-Hant"), ("ZH-HANT-tw", "zh-Hant-TW"), ("pt-br", "pt-BR"), ("es-419", "es-419"),
        ("de-ch-1996", "de-CH-1996"),
        ("sl-rozaj-biske", "sl-rozaj-biske"), ("en-CA-X-CA", "en-CA-x-ca"), ("x-Whatever", "x-whatever"), ("zh-yue-HK", "zh-yue-HK"),
        ("de-u-co-phonebk", "de-u-co-phonebk"), ("sr-LATN", "sr-Latn"),
        ("EN_gb-OED", "en-GB-oed"), ("I_KLINGON", "i-klingon"), ("i-default", "i-default"), ("SGN-be_fr", "sgn-BE-FR"),
        ("sgn-ch-de", "sgn-CH-DE"), ("ART-lojban", "art-lojban"), ("zh-MIN-nan", "zh-min-nan"), ("no-bok", "no-bok"),
        ("zh-Hans_CN", "zh-Hans-CN"), ("en_US_POSIX", "en-US-posix"), ("ko_KR", "ko-KR"),
    ])
    func `stores the canonical case`(text: String, canonical: String) {
        #expect(LanguageTag(text)?.description == canonical)
    }

    @Test(arguments: [
        "", "e", "-", "en-", "-en", "en--US", "english!", "en us", "é", "abcdefghi", "en-US-", "en-a", "x", "x-", "en-abcdefghi", "1en",
        "en-US-GB", "\u{212A}o", "*", "en\u{0}", "en-1",
        "i", "i-", "i-nothing", "i-klingon-x-a", "en-GB-oed-US", "sgn-BE-DE", "abcd-abc", "ko_KR.UTF-8", "ja_JP@calendar=japanese", "_",
        "en__US",
    ])
    func `refuses what is no tag`(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test(arguments: [
        ("ko-KR", "ko en", "ko"), ("ko", "ko-KR en", nil), ("zh-TW", "zh-Hant zh-Hans", "zh-Hant"), ("zh-HK", "zh-Hant zh-Hans", "zh-Hant"),
        ("zh-MO", "zh-Hant", "zh-Hant"), ("zh", "zh-Hant zh-Hans", "zh-Hans"),
        ("zh-CN", "zh-Hant zh-Hans", "zh-Hans"), ("zh-SG", "zh-Hans", "zh-Hans"), ("zh-TW", "zh-Hans en", nil),
        ("zh-TW", "zh-TW zh-Hant", "zh-TW"), ("zh-Hant-TW", "zh-Hant zh-Hans", "zh-Hant"),
        ("zh-Hant-HK", "zh-Hans", nil), ("zh-Hans", "zh-Hant", nil), ("en-GB", "en-US en", "en"), ("en-GB", "en-US fr", nil),
        ("de-CH-1996", "de-CH de", "de-CH"), ("de-u-co-phonebk", "de", "de"), ("pt-PT", "pt-BR", nil), ("zh", "zh", "zh"),
        ("zh-CN", "zh", "zh"), ("zh-yue", "zh-Hans", "zh-Hans"), ("zh-Hant-US", "zh-Hans", nil),
        ("en-GB-oed", "en-GB en", "en-GB"), ("en-GB-oxendict", "en-GB-oed en", "en-GB-oed"), ("i-klingon", "tlh en", "tlh"),
        ("tlh", "i-klingon en", "i-klingon"), ("tlh-Latn", "i-klingon tlh", "tlh"), ("i-mingo", "en", nil), ("nb-NO", "no-bok", "no-bok"),
    ])
    func `looks a range up`(range: String, available: String, found: String?) throws {
        let languages = Set(try available.split(separator: " ").map { try tag(String($0)) })
        #expect(LanguagePreference.exactly(try tag(range)).lookUp(in: languages)?.description == found)
        #expect(LanguagePreference.ranges([try tag(range)], refused: []).lookUp(in: languages)?.description == found)
    }

    /// RFC 5646 section 2.2.8 lists 26 tags.
    @Test func `there are 26 grandfathered tags`() throws {
        #expect(GrandfatheredTags.preferred.count == 26)
        for (text, preferred) in GrandfatheredTags.preferred {
            #expect(try tag(text).preferred.description == preferred ?? (try tag(text).description))
        }
    }

    @Test func `the first range that fits wins and refused ones do not`() throws {
        let ranges = LanguagePreference.ranges([try tag("fr"), try tag("ko-KR"), try tag("en")], refused: [try tag("ko")])
        #expect(ranges.lookUp(in: [try tag("ko"), try tag("en")]) == (try tag("en")))
        #expect(LanguagePreference.none.lookUp(in: [try tag("en")]) == nil)
    }
}
