import QuickActions
import Testing

@testable import Remote

@Suite struct `The address of a service` {
    @Test(arguments: [
        ("https://menus.example.com", "https://menus.example.com"), ("HTTPS://Menus.Example.com:443/", "https://menus.example.com"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://[::1]:80//", "http://[::1]"),
        ("https://example.com/menus/", "https://example.com/menus"),
    ])
    func `is one text, however it is spelled`(_ text: String, _ address: String) throws {
        #expect(try ServerAddress(text).description == address)
    }

    @Test(arguments: [
        "", "menus.example.com", "ftp://menus.example.com", "https://", "https:///x", "https://a b", "https://user@menus.example.com",
        "https://user:secret@menus.example.com", "https://menus.example.com?x", "https://menus.example.com#x", "https://münus.example",
        "https://menus.example.com/admin/v1", "https://menus.example.com/v1/",
    ])
    func `is refused where it is none, and a password is not repeated`(_ text: String) {
        let failure = #expect(throws: RemoteFailure.self) { try ServerAddress(text) }
        #expect(failure?.description.contains("secret") == false)
    }
}

@Suite struct `A token` {
    @Test(arguments: ["lp_abc", "lp_abc\n", " lp_abc\r\n"])
    func `is read without what an editor puts around it`(_ text: String) throws {
        #expect(try AccessToken(text, from: "token").secret() == "lp_abc")
    }

    @Test(arguments: ["", "\n", "lp abc", "lp_\u{e9}", "lp_abc\r\nX-Other: 1"])
    func `is refused where it is none, by the name of its source`(_ text: String) {
        let failure = #expect(throws: RemoteFailure.self) { try AccessToken(text, from: "ci/token") }
        #expect(failure?.description.contains("ci/token") == true)
    }
}
