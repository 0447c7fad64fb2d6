import QuickActions
import Testing

@testable import Shortcuts

@Suite struct SecretKeyTests {
    private static let hex = String(repeating: "00", count: 31) + "ff"
    private static let nonce = [UInt8](0..<12)

    /// The nonce, the text and the tag.
    private func content(of sealed: String) -> [UInt8]? { bytes(base64: String(sealed.dropFirst())) }

    @Test(arguments: [
        (hex, true), (hex.uppercased(), true), ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP8=", true), (String(hex.dropLast()), false),
        ("", false),
        ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", false), (String(repeating: "g", count: 64), false), (hex + " ", false),
    ])
    func `a key has 32 bytes, hexadecimal or base64`(_ text: String, _ isKey: Bool) {
        #expect((SecretKey(text) != nil) == isKey)
    }

    @Test func `a key is in no text`() throws {
        let key = try #require(SecretKey(Self.hex))
        #expect("\(key) \(String(reflecting: Optional(key)))" == "*** Optional(***)")
    }

    /// Test case 14 of the submission of GCM to NIST (McGrew and Viega), without associated data.
    @Test func `seals as others do`() throws {
        let key = try #require(SecretKey(String(repeating: "00", count: 32)))
        let sealed = try key.seal(String(repeating: "\0", count: 16), for: "", nonce: [UInt8](repeating: 0, count: 12))
        let expected = "cea7403d4d606b6e074ec5d3baf39d18" + "d0d1c8a799996bf0265b98b5d48ab919"
        let found = try #require(content(of: sealed))
        #expect(found.dropFirst(12).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == expected)
    }

    @Test(arguments: ["", "whsec_secret", "Bearer \u{e4}", String(repeating: "long ", count: 1000)])
    func `opens what it has sealed, for the same place and with the same key only`(_ text: String) throws {
        let key = try #require(SecretKey(Self.hex))
        let other = try #require(SecretKey(String(repeating: "01", count: 32)))
        let sealed = try key.seal(text, for: "a", nonce: Self.nonce)
        #expect(SecretKey.isSealed(sealed) && !SecretKey.isSealed(text) && (text.isEmpty || !sealed.contains(text)))
        #expect(try key.open(sealed, for: "a") == text)
        #expect(throws: Failure.self) { try key.open(sealed, for: "b") }
        #expect(throws: Failure.self) { try other.open(sealed, for: "a") }
        #expect(try sealed != key.seal(text, for: "a", nonce: [UInt8](1..<13)))
    }

    @Test func `does not open what was changed`() throws {
        let key = try #require(SecretKey(Self.hex))
        let sealed = try key.seal("whsec_secret", for: "a", nonce: Self.nonce)
        let whole = try #require(content(of: sealed))
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 1
            #expect(throws: Failure.self) { try key.open("\u{1}" + base64(changed), for: "a") }
        }
        for text in ["", "\u{1}", "\u{1}AAAA", "\u{1}=", String(sealed.dropFirst())] {
            #expect(throws: Failure.self) { try key.open(text, for: "a") }
        }
    }
}
