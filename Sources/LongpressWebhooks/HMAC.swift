internal import QuickActions

#if canImport(CryptoKit)
    internal import CryptoKit
#endif

/// HMAC (RFC 2104) with SHA-256. On Apple's platforms CryptoKit computes it. On Linux this code does: with a cryptographic library as a
/// dependency, every user of `LongpressKit` would fetch and build it, too.
struct HMACKey: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// 32 bytes.
    func authenticationCode(for message: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            return Array(HMAC<CryptoKit.SHA256>.authenticationCode(for: message, using: SymmetricKey(data: bytes)))
        #else
            var key = bytes.count > SHA256.blockSize ? SHA256.hash(bytes) : bytes
            key += Array(repeating: 0, count: SHA256.blockSize - key.count)
            return SHA256.hash(key.map { $0 ^ 0x5C } + SHA256.hash(key.map { $0 ^ 0x36 } + message))
        #endif
    }

    func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        code.isEqualInConstantTime(to: authenticationCode(for: message))
    }
}
