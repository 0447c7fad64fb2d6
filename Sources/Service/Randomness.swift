import API

/// Fresh ids and secrets from the system's generator.
enum Randomness {
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// 22 letters and digits: some 130 bits.
    static func id() -> String {
        String((0..<22).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }

    /// 16 hexadecimal digits, for requests.
    static func requestID() -> String {
        let text = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }

    static let identifiers = Identifiers(makeID: id, makeBytes: bytes)

    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
}
