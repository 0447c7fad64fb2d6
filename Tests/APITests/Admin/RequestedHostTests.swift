import Testing

@testable import API

@Suite struct RequestedHostTests {
    @Test(arguments: [
        ("localhost", true), ("LOCALHOST:80", true), ("console.localhost:8080", true), ("127.0.0.1", true), ("127.9.9.9:1", true),
        ("[::1]", true), ("[::1]:8080", true), ("[::ffff:127.0.0.1]", true), ("128.0.0.1", false), ("[::2]:8080", false),
        ("localhost.example.com", false), ("notlocalhost", false), ("127.0.0.1.example.com", false), ("menus.example.com", false),
    ]) func `tells loopback from the network`(_ host: String, _ isLoopback: Bool) {
        #expect(RequestedHost(host)?.isLoopback == isLoopback)
    }

    @Test(arguments: ["", ":80", "a:b", "a:99999", "a:-1", "a:+80"]) func `refuses what is no host`(_ text: String) {
        #expect(RequestedHost(text) == nil)
    }

    @Test(arguments: [
        ("menus.example.com", "https://menus.example.com", true), ("menus.example.com", "https://MENUS.example.com:443", true),
        ("menus.example.com:443", "https://menus.example.com", true), ("menus.example.com", "http://menus.example.com", true),
        ("menus.example.com:8443", "https://menus.example.com:8443", true), ("menus.example.com:8443", "https://menus.example.com", false),
        ("menus.example.com", "https://example.com", false), ("menus.example.com", "https://menus.example.com.evil.example", false),
        ("menus.example.com", "https://evil.example/menus.example.com", false),
        ("menus.example.com", "https://menus.example.com@evil.example", false),
        ("menus.example.com", "null", false), ("menus.example.com", "", false), ("menus.example.com", "ftp://menus.example.com", false),
        ("[::1]:8080", "http://[::1]:8080", true), ("[::1]:8080", "http://[::2]:8080", false),
    ]) func `knows its own origin`(_ host: String, _ origin: String, _ isOurs: Bool) {
        #expect(RequestedHost(host)?.isHost(ofOrigin: origin) == isOurs)
    }
}
