import CCrypto

/// SHA-256 (FIPS 180-4), 32 bytes.
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
    thirtyTwoBytes { EVP_Digest(bytes, bytes.count, $0, nil, algorithm, nil) == 1 }
}

/// The first `count` hexadecimal digits of SHA-256 (FIPS 180-4), lower case.
package func sha256Hex(_ bytes: [UInt8], first count: Int = 64) -> String {
    let digits = sha256(bytes).prefix((count + 1) / 2).flatMap { [hexDigits[Int($0 >> 4)], hexDigits[Int($0 & 15)]] }
    return String(decoding: digits.prefix(count), as: UTF8.self)
}

/// HMAC (RFC 2104) with SHA-256, 32 bytes.
package func hmacSHA256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    thirtyTwoBytes { HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, $0, nil) != nil }
}

/// Fetched once: with `EVP_sha256()`, OpenSSL 3 looks the implementation up by name at each call, which takes a quarter of the time for 1.2
/// kB (EVP_MD_fetch(3), "Implicit fetching"). `nonisolated(unsafe)` because the C type is not Sendable; the object is immutable and OpenSSL
/// allows threads to share it.
private nonisolated(unsafe) let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

/// Traps if libcrypto has no SHA-256 (an `openssl.cnf` without a provider) or no memory: a missing digest must not be compared with a
/// real one. No input reaches this.
private func thirtyTwoBytes(_ compute: (UnsafeMutablePointer<UInt8>?) -> Bool) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
        precondition(compute(buffer.baseAddress), "libcrypto cannot compute SHA-256. Check that openssl.cnf loads a provider for it.")
        count = 32
    }
}

private let hexDigits = Array("0123456789abcdef".utf8)
