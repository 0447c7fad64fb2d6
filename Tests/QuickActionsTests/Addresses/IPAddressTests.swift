import Testing

@testable import QuickActions

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("0.0.0.0", "0.0.0.0"), ("127.0.0.1", "127.0.0.1"), ("255.255.255.255", "255.255.255.255"), ("::", "::"), ("::1", "::1"),
        ("1::", "1::"), ("2606:4700:0:0:0:0:0:1111", "2606:4700::1111"), ("FE80::ABCD", "fe80::abcd"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
        ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"), ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"), ("0:0:0:0:0:0:102:304", "::1.2.3.4"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("::ffff:10.1.2.3", "10.1.2.3"),
        ("::ffff:a01:203", "10.1.2.3"), ("64:ff9b::1.2.3.4", "64:ff9b::102:304"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ("0001::", "1::"), ("::1:0:0", "::1:0:0"),
    ])
    func `reads and writes an address`(text: String, written: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == written)
        #expect(IPAddress(bytes: address.bytes) == address && IPAddress(written) == address)
    }

    @Test(arguments: [
        "", ".", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.04", "00.0.0.0", "1..2.3", "1.2.3.", ".1.2.3", "+1.2.3.4",
        "1.2.3.4 ",
        "0x1.2.3.4", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "::1:2:3:4:5:6:7:8", "12345::", "g::", ":1::", "1::2:",
        "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "::1.2.3.4:5", "fe80::1%eth0", "[::1]", "1:2:3:4:5:6:7:8::", "::01.2.3.4", "１.2.3.4",
    ])
    func `refuses other text`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [0, 3, 5, 15, 17]) func `has four or sixteen bytes`(count: Int) {
        #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
}
