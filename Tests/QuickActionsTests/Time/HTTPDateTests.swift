import Testing

@testable import QuickActions

@Suite struct HTTPDateTests {
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (Int64.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
    ])
    func `formats dates`(_ seconds: Int64, _ text: String) {
        #expect(String(decoding: HTTPDate(secondsSince1970: seconds).bytes, as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Tue, 29 Feb 2000 12:34:56 GMT", 951_827_696), ("Monday, 01-Jan-77 00:00:00 GMT", 220_924_800),
            ("Friday, 01-Jan-76 00:00:00 GMT", 3_345_062_400), ("Mon, 29 Feb 2100 00:00:00 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("Sun, 06 Nov 1969 08:49:37 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 8:49:37 GMT", nil), ("", nil),
        ] as [(String, Int64?)])
    func `reads the three forms`(_ text: String, _ seconds: Int64?) {
        // 2026-01-31T09:00:00Z
        #expect(HTTPDate(text, now: Timestamp(milliseconds: 1_769_850_000_000))?.secondsSince1970 == seconds)
    }
}
