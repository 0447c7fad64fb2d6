import Testing

@testable import QuickActions

@Suite struct URIPartsTests {
    @Test(arguments: [
        ("https://u:p@example.com:8080/a/b?c=d#e", "https|u:p|example.com|8080|/a/b|/a/b?c=d|e"),
        ("notes:open?x#y", "notes|-|-|-|open|open?x|y"),
        ("https://[::1]:80", "https|-|[::1]|80|||-"), ("https://[::1]", "https|-|[::1]|-|||-"),
        ("//a@b@c/", "-|a@b|c|-|/|/|-"), ("/a:b", "-|-|-|-|/a:b|/a:b|-"), ("a//b", "-|-|-|-|a//b|a//b|-"), ("", "-|-|-|-|||-"),
        ("s:", "s|-|-|-|||-"), ("https://h:?q", "https|-|h|||?q|-"), ("https://[::1", "https|-|[::1|-|||-"),
        ("https://[a]b:1/", "https|-|[a]b|1|/|/|-"), ("https://h#a?b#c", "https|-|h|-|||a?b#c"), ("1s:x", "-|-|-|-|1s:x|1s:x|-"),
        (":x", "-|-|-|-|:x|:x|-"),
    ])
    func `splits the components`(text: String, expected: String) {
        let parts = URIParts(text)
        let found: [Substring?] = [parts.scheme, parts.userInfo, parts.host, parts.port, parts.path, parts.target, parts.fragment]
        #expect(found.map { $0 ?? "-" }.joined(separator: "|") == expected)
    }
}
