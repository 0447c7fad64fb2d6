import API

/// Random ids and secrets from the system's generator. Any thread may call its functions.
package enum Randomness {
    package static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// 22 letters and digits with 128 random bits. A publish needs many ids, so an id takes only two calls of the generator.
    package static func id() -> String {
        String(decoding: digits(of: .random(in: .min ... .max)) + digits(of: .random(in: .min ... .max)), as: UTF8.self)
    }

    /// Eleven base-62 digits, enough for 64 bits.
    private static func digits(of number: UInt64) -> [UInt8] {
        var rest = number
        return (0..<11).map { _ in
            defer { rest /= UInt64(alphabet.count) }
            return alphabet[Int(rest % UInt64(alphabet.count))]
        }
    }

    /// A request id: 16 hexadecimal digits.
    package static func requestID() -> String {
        let text = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }

    static let generator = IDGenerator(makeID: id, makeBytes: bytes)

    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
