import Testing

@testable import QuickActions

@Suite struct TimeTests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"), (1_769_850_000_123, "2026-01-31T09:00:00.123Z"),
        (1_700_000_000_001, "2023-11-14T22:13:20.001Z"), (1_700_000_000_999, "2023-11-14T22:13:20.999Z"),
    ])
    func `a timestamp is RFC 3339`(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
    }

    @Test(arguments: [0, 1, 999, 1000, 1_800_000_000_123, -1] as [Int64])
    func `reads back every time it writes`(milliseconds: Int64) {
        let time = Timestamp(milliseconds: milliseconds)
        #expect(Timestamp(time.description) == time)
    }

    @Test func `no millisecond is lost`() {
        let wrong = (0..<1000).filter { millisecond in
            let digits = String(1000 + millisecond).dropFirst()
            return !Timestamp(milliseconds: 1_769_850_000_000 + Int64(millisecond)).description.hasSuffix(".\(digits)Z")
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        ("2026-01-31T09:00:00Z", Int64(1_769_850_000)), ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1),
        ("2024-02-29T00:00:00Z", 1_709_164_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func `reads whole seconds in UTC`(text: String, seconds: Int64) {
        #expect(CalendarTime(text)?.secondsSince1970 == seconds)
        #expect(CalendarTime(secondsSince1970: seconds).text == text)
    }

    @Test(arguments: [
        "", "2026-01-31", "2026-01-31T09:00:00", "2026-01-31T09:00:00.0Z", "2026-01-31T09:00:00+0", "2026-01-31T09:00:00z",
        "2026-01-31t09:00:00Z", "2026-01-31 09:00:00Z", "2026-02-30T09:00:00Z", "2025-02-29T09:00:00Z", "2026-13-01T09:00:00Z",
        "2026-01-31T24:00:00Z", "2026-01-31T09:60:00Z", "2026-06-30T23:59:60Z", "2026-01-31T09:00:00+01:00", "20260131T090000Z",
        "12026-01-31T09:00:0Z", "-026-01-31T09:00:00Z", "２026-01-31T09:00Z", " 026-01-31T09:00:00Z", "2026-1-031T09:00:00Z",
    ])
    func `refuses other dates`(text: String) {
        #expect(CalendarTime(text) == nil)
    }

    @Test(arguments: [
        ("2026-01-31T09:00:00Z", Int64(1_769_850_000_000)), ("2026-01-31T09:00:00.5Z", 1_769_850_000_500),
        ("2026-01-31T10:30:00+01:30", 1_769_850_000_000), ("2026-01-31T08:59:59.999-00:00", 1_769_849_999_999),
        ("2026-01-31T09:00:00.000000001Z", 1_769_850_000_001), ("2026-01-31T09:00:00.123456Z", 1_769_850_000_124),
        ("2026-01-31T09:00:00.120000Z", 1_769_850_000_120),
        ("2026-01-31t09:00:00z", 1_769_850_000_000),
    ])
    func `reads RFC 3339`(text: String, milliseconds: Int64) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "now", "2026-01-31", "2026-01-31T09:00:00", "2026-01-31 09:00:00Z", "2026-01-31T09:00:00.Z", "2026-01-31T09:00:00.5",
        "2026-01-31T09:00:00.1234567890Z", "2026-01-31T09:00:00+0100", "2026-01-31T09:00:00+24:00", "2026-01-31T09:00:00+01:60",
        "2026-01-31T09:00:00*01:00", "2026-01-31T09:00:00Zz", "2026-01-31T09:00:00+٠١:00", "2026-02-30T09:00:00Z",
        "2026-01-31T09:00:00.٥Z", "2026-01-31T09:00:00+9:00", "2026-01-31T09:00:00 Z", "２026-01-31T09:00:00Z",
    ])
    func `refuses other forms than RFC 3339`(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func `the short text has no zero fraction`() {
        #expect(Timestamp(milliseconds: 1_769_850_000_000).shortText == "2026-01-31T09:00:00Z")
        #expect(Timestamp(milliseconds: 1_769_850_000_120).shortText == "2026-01-31T09:00:00.120Z")
    }
}
