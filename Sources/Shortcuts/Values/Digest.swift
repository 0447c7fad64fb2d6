import Crypto

/// SHA-256 (FIPS 180-4), 32 bytes.
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: bytes))
}

/// The first `count` hexadecimal digits of SHA-256 (FIPS 180-4), lower case.
package func sha256Hex(_ bytes: [UInt8], first count: Int = 64) -> String {
    let digits = SHA256.hash(data: bytes).prefix((count + 1) / 2).flatMap { [hexDigits[Int($0 >> 4)], hexDigits[Int($0 & 15)]] }
    return String(decoding: digits.prefix(count), as: UTF8.self)
}

private let hexDigits = Array("0123456789abcdef".utf8)
