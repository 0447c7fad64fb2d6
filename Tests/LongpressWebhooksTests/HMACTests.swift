import Shortcuts
import Testing

@testable import LongpressWebhooks

/// Compared with libcrypto, with which the service signs.
@Suite struct HMACTests {
    @Test func `codes are libcrypto's, for keys and messages of every length up to three blocks`() {
        var generator = SystemRandomNumberGenerator()
        func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
        for count in 0...200 {
            let (key, message) = (random(max(1, 200 - count)), random(count))
            #expect(HMACKey(key).authenticationCode(for: message) == hmacSHA256(message, key: key))
        }
        let (key, long) = (random(32), random(20_000))
        #expect(HMACKey(key).authenticationCode(for: long) == hmacSHA256(long, key: key))
    }

    @Test func `a code that differs in one bit, or in length, is refused`() {
        let key = HMACKey([1, 2, 3])
        let code = key.authenticationCode(for: [4])
        #expect(key.isValid(code, for: [4]) && !key.isValid(code, for: [5]) && !key.isValid([], for: [4]))
        #expect(!key.isValid(Array(code.dropLast()), for: [4]) && !key.isValid(code + [0], for: [4]))
        for index in code.indices {
            var other = code
            other[index] ^= 1
            #expect(!key.isValid(other, for: [4]))
        }
    }
}
