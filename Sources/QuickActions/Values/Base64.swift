/// Standard base64 with padding, RFC 4648 section 4.
package func base64(_ bytes: [UInt8]) -> String {
    String(decoding: base64Digits(bytes, alphabet: standard, isPadded: true), as: UTF8.self)
}

/// base64url without padding, RFC 4648 section 5.
package func base64URL(_ bytes: [UInt8]) -> String {
    String(decoding: base64Digits(bytes, alphabet: forURLs, isPadded: false), as: UTF8.self)
}

/// Decodes standard base64 with padding; nil for invalid text, and if the unused bits of the last digit are not zero (RFC 4648 section 3.5).
package func bytes(base64 text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    let padding = digits.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    guard digits.count.isMultiple(of: 4), padding < max(digits.count, 1) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for digit in digits.dropLast(padding) {
        guard let value = value(ofBase64Digit: digit) else { return nil }
        bits = bits << 6 | value
        count += 6
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
    }
    return bits & ((1 << UInt32(count)) - 1) == 0 ? bytes : nil
}

private func base64Digits(_ bytes: [UInt8], alphabet: [UInt8], isPadded: Bool) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
        for place in 0...group.count { digits.append(alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]) }
        if isPadded { digits.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - group.count)) }
    }
    return digits
}

private func value(ofBase64Digit digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
}

private let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
private let forURLs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
