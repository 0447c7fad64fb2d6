import Shortcuts
import Testing

@testable import Webhooks

struct EndpointTests {
    private func codes(_ url: String, allowing: String = "", httpsOnly: Bool = false) throws -> [String] {
        let rules = EndpointRules(addressGuard: try AddressGuard(allowing: allowing), httpsOnly: httpsOnly)
        do throws(EndpointURL.ParseError) {
            #expect(try rules.readURL(url).description == url)
            return []
        } catch {
            #expect(error.message.hasSuffix("."))
            return [error.code.rawValue]
        }
    }

    @Test(arguments: [
        "https://example.com", "https://example.com/", "http://example.com:8080/a?b=c", "HTTPS://EXAMPLE.com/x", "https://8.8.8.8/",
        "https://[2606:4700::1111]:8443/x", "https://example.com./x", "https://a_b.example/x", "https://xn--bcher-kva.example/",
        "https://localhost/", "https://example.com/a@b", "https://example.com?x=1", "https://1e100.net/", "https://0x.example/",
        "https://example.com/#part", "https://[::ffff:8.8.8.8]/",
    ])
    func `takes`(_ url: String) throws {
        #expect(try codes(url) == [])
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://10.0.0.1:8080/x", "http://169.254.169.254/latest/meta-data", "http://0.0.0.0/", "http://[::1]/",
        "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[fe80::1]/", "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/", "http://0177.0.0.1/", "http://0x7f.0.0.1/", "http://0x7f000001/", "http://2130706433/",
        "http://017700000001/", "http://127.1/", "http://127.0.1/", "http://127.0.0.1./", "http://0/", "http://0x0/", "http://0x/",
        "http://00000177.1/", "http://010.0.0.1/", "http://3232235521/", "http://192.168.257/", "http://255.255.255.255/",
    ])
    func `refuses blocked addresses in every spelling`(_ url: String) throws {
        #expect(try codes(url) == ["address-blocked"])
    }

    @Test(arguments: [
        "", "example.com", "//example.com/", "https:/example.com", "https:example.com", "https://", "https:///path", "https://?x",
        "https://user@example.com/", "https://user:pass@example.com/", "https://@example.com/", "https://8.8.8.8@127.0.0.1/",
        "https://example.com:0/", "https://example.com:65536/", "https://example.com:/", "https://example.com:80a/",
        "https://example.com:-1/", "https://example.com:8080:1/", "https://exa mple.com/", " https://example.com/",
        "https://example.com/ ", "https://example.com/\r\nX: y", "https://example.com/\0", "https://example.com/\t",
        "https://example.com/\u{7F}", "https://example.com\\@127.0.0.1/", "https://bücher.example/", "https://１２７.0.0.1/",
        "https://127%2e0.0.1/", "https://example..com/", "https://.example.com/", "https://example.com../", "https://./",
        "https://[::1/", "https://[::1]x/", "https://[fe80::1%25eth0]/", "https://[127.0.0.1]/", "https://[]/", "https://::1/",
        "https://1.2.3.4.5/", "https://256.1.1.1/", "https://999999999999/", "https://08.8.8.8.9/", "https://8.8.8.8./",
        "https://0x08.8.8.8/", "https://134744072/", "https://a.1/", "https://ex$ample.com/", "https://example.com,evil/",
    ])
    func `refuses what is no plain URL`(_ url: String) throws {
        #expect(try codes(url) == ["url-invalid"])
    }

    @Test(arguments: [
        "ftp://example.com/", "file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)", "ws://example.com/", "httpss://a/",
    ])
    func `refuses other schemes`(_ url: String) throws {
        #expect(try codes(url) == ["url-scheme"])
    }

    @Test func `refuses what is too long`() throws {
        let longest = "https://example.com/" + String(repeating: "a", count: 2028)
        #expect(try codes(longest) == [])
        #expect(try codes(longest + "a") == ["url-too-long"])
    }

    @Test func `lets the allow list exempt plain spellings only`() throws {
        #expect(try codes("http://127.0.0.1:9/", allowing: "127.0.0.1/32") == [])
        #expect(try codes("http://[::ffff:127.0.0.1]:9/", allowing: "127.0.0.1/32") == [])
        #expect(try codes("http://127.0.0.2:9/", allowing: "127.0.0.1/32") == ["address-blocked"])
        #expect(try codes("http://2130706433/", allowing: "127.0.0.1/32") == ["address-blocked"])
    }

    @Test func `can be told to take https only`() throws {
        #expect(try codes("http://example.com/", httpsOnly: true) == ["url-scheme"])
        #expect(try codes("https://example.com/", httpsOnly: true) == [])
    }

    @Test(arguments: [
        ("HTTP://Example.COM.:80/a/../b?c#d", "http://example.com/a/../b?c"),
        ("https://[2606:4700:0::1111]:8443", "https://[2606:4700::1111]:8443"),
        ("http://[::ffff:8.8.8.8]/", "http://8.8.8.8/"),
    ])
    func `hands one spelling on`(_ url: String, _ expected: String) throws {
        #expect(try EndpointURL(url).destination(by: AddressGuard(), httpsOnly: false).text == expected)
    }

    @Test(
        arguments: [
            ("X-Token", "abc def\t~", nil), ("authorization", "Bearer x", nil), ("User-Agent", "mine", nil), ("X-Empty", "", nil),
            ("Host", "a", "header-reserved"), ("webhook-id", "a", "header-reserved"), ("Webhook-Foo", "a", "header-reserved"),
            ("CONTENT-TYPE", "a", "header-reserved"), ("Content-Foo", "a", "header-reserved"), ("connection", "a", "header-reserved"),
            ("Transfer-Encoding", "a", "header-reserved"), ("", "a", "header-name-invalid"), ("X Token", "a", "header-name-invalid"),
            ("X:Y", "a", "header-name-invalid"), ("X\r\nY", "a", "header-name-invalid"), ("Ü", "a", "header-name-invalid"),
            ("X-A", "a\r\nb", "header-value-invalid"), ("X-A", "a\nb", "header-value-invalid"), ("X-A", "ü", "header-value-invalid"),
            ("X-A", "a\0", "header-value-invalid"), ("X-A", "\u{7F}", "header-value-invalid"),
        ] as [(String, String, String?)])
    func `judges header fields`(_ name: String, _ value: String, _ code: String?) {
        let violations = EndpointHeaders.violations(in: [Endpoint.Header(name: name, value: value)])
        #expect(violations.map(\.code) == [code].compactMap(\.self))
        #expect(violations.allSatisfy { $0.path.hasPrefix("headers") })
    }

    @Test func `takes twenty header fields and no more`() {
        let headers = (0..<21).map { Endpoint.Header(name: "X-\($0)", value: "v") }
        #expect(EndpointHeaders.violations(in: Array(headers.prefix(20))).isEmpty)
        #expect(EndpointHeaders.violations(in: headers).map(\.code) == ["too-many-headers"])
    }

    @Test func `does not repeat a header's value, which may be a credential`() {
        let violations = EndpointHeaders.violations(in: [Endpoint.Header(name: "X-A", value: "geheim\n")])
        #expect(violations.allSatisfy { !$0.message.contains("geheim") })
    }
}
