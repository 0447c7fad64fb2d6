extension JSONReader {
    /// RFC 8259 section 6: no leading zeros, no plus sign, digits on both sides of the point.
    mutating func number() throws(Refusal) -> JSON {
        let start = position
        var isInteger = true
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") {
            isInteger = false
            try digits()
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger {
            return Int64(text).map(JSON.integer) ?? .outOfRange(text, isInteger: true)
        }
        guard let real = Double(text), real.isFinite else { return .outOfRange(text, isInteger: false) }
        return .real(real)
    }

    private mutating func digits() throws(Refusal) {
        let start = position
        while let byte = peek, byte.isASCIIDigit { position += 1 }
        guard position > start else { throw malformed("a digit should be here") }
    }

    mutating func string() throws(Refusal) -> String {
        position += 1
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if peek == UInt8(ascii: "\"") {
            position += 1
            return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
        }
        var unescaped = Array(bytes[start..<position])
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: unescaped, as: UTF8.self)
            case UInt8(ascii: "\\"):
                unescaped.append(contentsOf: String(try escape()).utf8)
            case 0..<0x20:
                position -= 1
                throw malformed("a control character in a string must be escaped")
            default:
                unescaped.append(byte)
            }
        }
        throw malformed("a string is not closed")
    }

    private mutating func escape() throws(Refusal) -> Unicode.Scalar {
        let byte = peek
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try escapedScalar()
        default:
            position -= 1
            throw malformed("there is no such escape")
        }
    }

    /// A `\uXXXX` escape. A high surrogate must be followed by the escape of a low surrogate. Unpaired surrogates are errors.
    private mutating func escapedScalar() throws(Refusal) -> Unicode.Scalar {
        let unit = try hexUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), take("\\"), take("u") else { throw malformed("a lone surrogate is not a character") }
        let trail = try hexUnit()
        guard UTF16.isTrailSurrogate(trail) else { throw malformed("a lone surrogate is not a character") }
        let value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(trail & 0x3FF))
        guard let scalar = Unicode.Scalar(value) else { throw malformed("a lone surrogate is not a character") }
        return scalar
    }

    private mutating func hexUnit() throws(Refusal) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw malformed("four hexadecimal digits should be here")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
