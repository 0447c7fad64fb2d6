import Testing

@testable import QuickActions

@Suite struct ActionURLTests {
    @Test(arguments: [
        "https://example.com", "https://example.com:443/a?b=c#d", "https://[::1]:8080/", "https://user@example.com/",
        "notes://compose", "notes:compose", "notes:", "openMyCardWidget://?cardUUID=1", "x+y-z.1:a", "NOTES://A", "tel:+123",
        "notes://a/%C3%A9", "notes://x?u=https://a:b/c", "notes:open?x#y", "notes:open://x:y", "mailto:a@b.example",
        "notes://" + String(repeating: "a", count: 2040),
    ])
    func `accepts an absolute URI`(text: String) {
        #expect(throws: Never.self) { try ActionURL(checking: text) }
    }

    @Test(arguments: ["https://example.com/a?b#c", "HTTPS://Example.com/#", "notes:open?x#y%2F/?", "https://example.com/#:~:text=a"])
    func `keeps a URL as it was sent, its fragment included`(text: String) throws {
        #expect(try ActionURL(checking: text).description == text)
    }

    @Test(arguments: [
        "", ":", "://x", "compose", "/compose", "//host/x", "1a:b", "-a:b", "a b:c", "notes://a b", "notes://é", "nötes:a",
        "notes://%", "notes://%a", "notes://%zz", "notes:a#b#c", "https:", "https://", "https:example.com", "https:///x", "https://:443",
        "https://user@/x", "https://a:b/", "https://a:80:81/", "https://[::1", "https://::1]/", "https://[::1]x/", "https://[::1]a80/",
        "https://[]/", "https://[zz]/", "notes:a[b]", "notes:a\\b", "notes:a\nb", "notes:a\0", "notes:<a>", "notes:\"a\"", "notes:{a}",
        "notes:a|b", "notes:`", "notes:^", " notes:a", "notes:a ",
    ])
    func `refuses what is no absolute URI`(text: String) {
        #expect(throws: ActionURL.ParseError.invalid) { try ActionURL(checking: text) }
    }

    @Test(arguments: [
        "http://example.com", "HTTP://example.com", "javascript:alert(1)", "data:text/plain,a", "file:///etc/passwd",
        "about:blank", "blob:https://a/b", "JavaScript:x",
    ])
    func `refuses schemes`(text: String) {
        #expect(throws: ActionURL.ParseError.scheme) { try ActionURL(checking: text) }
    }

    @Test func `refuses more than 2048 bytes`() {
        #expect(throws: ActionURL.ParseError.tooLong) { try ActionURL(checking: "notes://" + String(repeating: "a", count: 2041)) }
    }
}
