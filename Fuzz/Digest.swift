// Stands in for Sources/Shortcuts/Values/Digest.swift, so that the fuzzers are built without swift-crypto: what is hashed
// does not matter here, that equal bytes give equal hashes does.

package func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var state: UInt64 = 0xcbf2_9ce4_8422_2325
    return (0..<32).map { round in
        for byte in bytes { state = (state ^ UInt64(byte ^ UInt8(round))) &* 0x100_0000_01b3 }
        return UInt8(truncatingIfNeeded: state >> 32)
    }
}

package func sha256Hex(_ bytes: [UInt8], first count: Int = 64) -> String {
    let digits = sha256(bytes).map { byte in
        let text = String(byte, radix: 16)
        return byte < 0x10 ? "0" + text : text
    }
    return String(digits.joined().prefix(count))
}
