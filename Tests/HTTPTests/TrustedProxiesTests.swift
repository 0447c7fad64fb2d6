import QuickActions
import Testing

@testable import HTTP

@Suite struct TrustedProxiesTests {
    private static let trusted = "10.0.0.0/8, 2001:db8:1::/48"

    private func sender(_ field: TrustedProxies.Field, from peer: String = "10.0.0.1", _ lines: [(String, String)]) throws -> Sender {
        var proxies = TrustedProxies()
        proxies.blocks = try AddressBlock.blocks(parsing: Self.trusted)
        proxies.field = field
        var fields = Fields()
        for (name, value) in lines { fields.append(name, value) }
        return proxies.sender(of: fields, from: peer)
    }

    @Test(
        arguments: [
            (["192.0.2.1"], "192.0.2.1"), (["198.51.100.9, 192.0.2.1"], "192.0.2.1"), (["192.0.2.1, 10.0.0.2"], "192.0.2.1"),
            (["198.51.100.9, 192.0.2.1, 10.0.0.3,10.0.0.2"], "192.0.2.1"), (["192.0.2.1", "10.0.0.2"], "192.0.2.1"),
            (["10.0.0.3, 10.0.0.2"], "10.0.0.3"), ([], "10.0.0.1"), ([""], "10.0.0.1"), ([" , "], "10.0.0.1"),
            (["192.0.2.1:4711"], "192.0.2.1"), (["2001:DB8::0001"], "2001:db8::1"), (["[2001:db8::1]"], "2001:db8::1"),
            (["[2001:db8::1]:4711"], "2001:db8::1"), (["::ffff:192.0.2.1"], "192.0.2.1"), (["192.0.2.1, ::ffff:10.0.0.2"], "192.0.2.1"),
            (["192.0.2.1, 2001:db8:1::5"], "192.0.2.1"),
            // An element that cannot be parsed ends the search.
            (["192.0.2.1, nonsense"], "10.0.0.1"), (["192.0.2.1, nonsense, 10.0.0.2"], "10.0.0.2"), (["unknown"], "10.0.0.1"),
            (["192.0.2.1, unknown"], "10.0.0.1"), (["_hidden"], "10.0.0.1"), (["192.0.2.256"], "10.0.0.1"), (["192.0.2.01"], "10.0.0.1"),
            (["192.0.2.1:"], "10.0.0.1"), (["192.0.2.1:port"], "10.0.0.1"), (["192.0.2.1:123456"], "10.0.0.1"),
            (["[2001:db8::1"], "10.0.0.1"), (["[192.0.2.1]"], "10.0.0.1"), (["[2001:db8::1]4711"], "10.0.0.1"),
            (["fe80::1%eth0"], "10.0.0.1"), (["\"192.0.2.1\""], "10.0.0.1"), (["192.0.2.1/32"], "10.0.0.1"),
            (["for=192.0.2.1"], "10.0.0.1"),
            // An open quote from the client does not hide the proxy's element.
            (["\"198.51.100.9, 192.0.2.1"], "192.0.2.1"),
        ] as [([String], String)])
    func `the nearest address that is no proxy's is the client's`(_ lines: [String], _ expected: String) throws {
        #expect(try sender(.xForwarded, lines.map { ("X-Forwarded-For", $0) }).address == expected)
    }

    @Test(
        arguments: [
            (["for=192.0.2.1"], "192.0.2.1"), (["For=\"192.0.2.1:4711\";proto=https;by=203.0.113.43"], "192.0.2.1"),
            (["for=\"[2001:db8::1]\""], "2001:db8::1"), (["for=\"[2001:db8::1]:4711\""], "2001:db8::1"),
            (["for=\"[2001:db8::1]:_port\""], "2001:db8::1"), (["for=198.51.100.9, for=192.0.2.1 , for=10.0.0.2"], "192.0.2.1"),
            (["for=192.0.2.1", "for=10.0.0.2;by=\"a, for=198.51.100.9\""], "192.0.2.1"), (["for=192.0.2.1; proto=https;;"], "192.0.2.1"),
            (["for=\"192\\.0.2.1\""], "192.0.2.1"), (["host=\"a\\\"b,c\";for=192.0.2.1"], "192.0.2.1"),
            // Elements that hide or omit the address.
            (["for=192.0.2.1, for=unknown"], "10.0.0.1"), (["for=192.0.2.1, for=_hidden, for=10.0.0.2"], "10.0.0.2"),
            (["for=192.0.2.1, proto=https"], "10.0.0.1"), (["for=\"_hidden:4711\""], "10.0.0.1"),
            // Not RFC 7239.
            (["for=[2001:db8::1]"], "10.0.0.1"), (["for=\"2001:db8::1\""], "10.0.0.1"), (["for=192.0.2.1:4711"], "10.0.0.1"),
            (["for=192.0.2.1;for=198.51.100.9"], "10.0.0.1"), (["for"], "10.0.0.1"), (["for="], "10.0.0.1"), (["192.0.2.1"], "10.0.0.1"),
            (["for=\"192.0.2.1"], "10.0.0.1"), (["for=192.0.2.1 proto=https"], "10.0.0.1"), (["for=\"192.0.2.1\"x"], "10.0.0.1"),
            (["for=\"192.0.2.1\\"], "10.0.0.1"),
            // An open quote from the client does not hide the proxy's element.
            (["for=\"198.51.100.9, for=192.0.2.1"], "192.0.2.1"), (["for=\"x", "for=\"[2001:db8::1]:1\""], "2001:db8::1"),
            (["for=\"x\\, for=\"[2001:db8::1]:1\""], "2001:db8::1"),
        ] as [([String], String)])
    func `Forwarded is read as RFC 7239 has it`(_ lines: [String], _ expected: String) throws {
        #expect(try sender(.forwarded, lines.map { ("Forwarded", $0) }).address == expected)
    }

    @Test func `the field that is not configured is ignored`() throws {
        let both = [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "https"), ("Forwarded", "for=192.0.2.2;proto=http")]
        #expect(try sender(.xForwarded, both) == Sender(address: "192.0.2.1", isEncrypted: true))
        #expect(try sender(.forwarded, both) == Sender(address: "192.0.2.2", isEncrypted: false))
    }

    @Test(arguments: ["192.0.2.7", "11.0.0.1", "::1", "not an address", ""])
    func `nobody else is believed`(_ peer: String) throws {
        let said = [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "https")]
        #expect(try sender(.xForwarded, from: peer, said) == Sender(address: peer))
    }

    @Test(arguments: ["::ffff:10.0.0.1", "2001:db8:1::7"])
    func `a proxy may be reached by IPv6`(_ peer: String) throws {
        #expect(try sender(.xForwarded, from: peer, [("X-Forwarded-For", "192.0.2.1")]).address == "192.0.2.1")
    }

    @Test(
        arguments: [
            ("192.0.2.1", "https", true), ("192.0.2.1", "HTTP", false), ("192.0.2.1", "gopher", nil), ("192.0.2.1", nil, nil),
            (nil, "https", true), ("nonsense", "https", true),
            // One for each proxy, or only the farthest one's.
            ("192.0.2.1, 10.0.0.2", "https, http", true), ("192.0.2.1, 10.0.0.2", "https", true), ("192.0.2.1", "https, http", false),
        ] as [(String?, String?, Bool?)])
    func `the scheme is the one of the client's own connection`(_ hops: String?, _ schemes: String?, _ expected: Bool?) throws {
        let said = [("X-Forwarded-For", hops), ("X-Forwarded-Proto", schemes)].compactMap { name, value in value.map { (name, $0) } }
        #expect(try sender(.xForwarded, said).isEncrypted == expected)
    }

    @Test(
        arguments: [
            ("for=192.0.2.1;proto=https", true), ("for=192.0.2.1;proto=https, for=10.0.0.2;proto=http", true), ("for=192.0.2.1", nil),
            ("for=192.0.2.1, for=10.0.0.2;proto=http", nil), ("for=unknown;Proto=\"https\"", true), ("proto=http", false),
            ("for=198.51.100.9;proto=https, for=192.0.2.1;proto=http", false),
        ] as [(String, Bool?)])
    func `the scheme in Forwarded is the one beside the client's address`(_ line: String, _ expected: Bool?) throws {
        #expect(try sender(.forwarded, [("Forwarded", line)]).isEncrypted == expected)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.2", false), ("2001:db8::1", "2001:db8::ffff:0:0:2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("192.0.2.1", "::ffff:192.0.2.1", true),
    ])
    func `a client is one IPv4 address, or one network of IPv6`(_ one: String, _ other: String, _ isSame: Bool) {
        #expect((Sender(address: one).network == Sender(address: other).network) == isSame)
    }
}
