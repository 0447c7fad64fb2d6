import Testing

@testable import Shortcuts

@Suite struct DeepXMLTests {
    @Test func `deep nesting in XML does not crash`() async {
        await #expect(processExitsWith: .success) {
            let depth = 250_000
            let bytes = Array(
                "<plist><dict><key>a</key>\(String(repeating: "<array>", count: depth))\(String(repeating: "</array>", count: depth))</dict></plist>"
                    .utf8)
            _ = try? InfoPlist(bytes)
        }
    }

    @Test func `nesting that fits a document is read`() async {
        await #expect(processExitsWith: .success) {
            let bytes = Array(
                "<plist><dict><key>a</key>\(String(repeating: "<array>", count: 20_000))\(String(repeating: "</array>", count: 20_000))</dict></plist>"
                    .utf8)
            _ = try? InfoPlist(bytes)
        }
    }

    @Test func `entities are not expanded`() {
        let laughs =
            "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]><plist><dict><key>k</key><string>&b;</string></dict></plist>"
        #expect(failure { try InfoPlist(Array(laughs.utf8)) } != nil)
    }
}
