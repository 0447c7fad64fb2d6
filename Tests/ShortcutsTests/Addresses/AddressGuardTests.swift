import QuickActions
import Testing

@testable import Shortcuts

struct AddressGuardTests {
    /// The first and last address of each block, and the addresses next to them if public.
    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.255",
        "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255",
        "192.0.2.0", "192.0.2.255", "192.88.99.0", "192.88.99.255", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255",
        "198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0",
        "255.255.255.255", "::", "::1", "::2", "::127.0.0.1", "::ffff", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:a9fe:a9fe",
        "fe80::", "febf:ffff::1", "fec0::1", "feff::1", "fc00::", "fdff:ffff::1", "ff00::", "ff02::1", "ffff::", "2001:db8::",
        "2001:db8:ffff::1", "3fff::", "3fff:fff::1", "100::", "100::1", "2002::", "2002:7f00:1::", "2001::", "2001:0:ffff::",
        "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "64:ff9b:1:ffff::", "5f00::1",
    ])
    func `refuses`(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!AddressGuard().allows(address))
    }

    @Test(arguments: [
        "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255",
        "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0",
        "223.255.255.255", "8.8.8.8", "::ffff:8.8.8.8", "::1:0:0", "2606:4700::1111", "2001:1::1", "2001:db7::1", "2001:db9::",
        "2003::1", "3ffe::1", "64:ff9b:2::1", "64:ff9b:0:1::", "100:0:0:1::", "5eff::1", "5f01::1", "fbff::1", "fe7f::1",
    ])
    func `allows`(_ text: String) throws {
        #expect(AddressGuard().allows(try #require(IPAddress(text))))
    }

    @Test func `reads every block of its table`() {
        #expect(AddressGuard.blocked.count == 31)
    }

    @Test func `exempts the allowed blocks only`() throws {
        let guarded = try AddressGuard(allowing: "127.0.0.1/32, fd00::/8 ,10.0.0.0/8,::1")
        for text in ["127.0.0.1", "::ffff:127.0.0.1", "fd12::1", "10.9.9.9", "::1"] {
            #expect(guarded.allows(try #require(IPAddress(text))), "\(text)")
        }
        for text in ["127.0.0.2", "fc00::1", "192.168.0.1", "::2", "::127.0.0.1"] {
            #expect(!guarded.allows(try #require(IPAddress(text))), "\(text)")
        }
        #expect(try !AddressGuard(allowing: "").allows(#require(IPAddress("127.0.0.1"))))
        #expect(try AddressGuard(allowing: "0.0.0.0/0").allows(#require(IPAddress("127.0.0.1"))))
        #expect(try AddressGuard(allowing: "::ffff:127.0.0.0/104").allows(#require(IPAddress("127.9.9.9"))))
    }

    @Test(arguments: [
        "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "10/8", "010.0.0.0/8", "nonsense", "fe80::/129", "10.0.0.0/8,", ",",
        "10.0.0.0/8 10.0.0.0/8", "10.1.0.0/8", "10.0.0.0/8/8", "fe80::%eth0/64", "10.0.0.0/+8", "::ffff:10.0.0.0/95",
    ])
    func `refuses malformed blocks by a sentence`(_ text: String) {
        #expect(throws: TextError.self) { try AddressGuard(allowing: text) }
    }
}
