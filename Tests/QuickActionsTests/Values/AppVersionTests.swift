import Testing

@testable import QuickActions

@Suite struct AppVersionTests {
    @Test(arguments: [
        ("2.1", "2.1.0"), ("2.01", "2.1.0"), ("2", "2.0.0"), ("0", "0.0.0"), ("000.00.0", "0.0.0"),
        ("2.10", "2.10.0"), ("20260131093000.1", "20260131093000.1.0"),
        ("999999999999999999.999999999999999999.999999999999999999", "999999999999999999.999999999999999999.999999999999999999"),
    ])
    func `reads a version and writes three parts`(text: String, canonical: String) {
        #expect(AppVersion(text)?.description == canonical)
    }

    @Test(arguments: [
        "", ".", "1.", ".1", "1..2", "1.2.3.4", "+1", "-1", "1.-2", "1.2-beta", "v1", " 1", "1 ", "1\n", "1.0\0",
        "１.２", "١", "1٫2", "0x1", "1e3", "1,2", "1000000000000000000", "0000000000000000001", "1.1000000000000000000",
        "99999999999999999999999999999999999", "1+2",
    ])
    func `refuses what is no version`(text: String) {
        #expect(AppVersion(text) == nil)
        #expect(BuildNumber(text) == nil)
    }

    @Test(arguments: [
        ("2.9", "2.10"), ("1.9.9", "2"), ("2.0.9", "2.1"), ("1.2.3", "1.2.4"), ("9", "10"), ("0", "0.0.1"),
        ("1.999999999999999999", "2"),
    ])
    func `orders by number`(lower: String, higher: String) throws {
        let (left, right) = (try #require(AppVersion(lower)), try #require(AppVersion(higher)))
        #expect(left < right)
        #expect(!(right < left))
        #expect(left != right)
    }

    @Test(arguments: [("2.1", "2.1.0"), ("2.01", "2.1"), ("0", "0.0.0")])
    func `equal versions hash alike`(left: String, right: String) throws {
        let (left, right) = (try #require(AppVersion(left)), try #require(AppVersion(right)))
        #expect(left == right)
        #expect(Set([left, right]).count == 1)
        #expect(!(left < right) && !(right < left))
    }
}
