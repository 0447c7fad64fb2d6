/// Reads request heads strictly (RFC 9112 sections 2 to 6), line by line, from a buffer that may still be growing.
///
/// Leniency here is what request smuggling is made of: whatever two readers could take in two ways is refused.
package struct RequestParser {
    package struct Limits: Sendable {
        package var targetBytes = 8 << 10
        package var headBytes = 16 << 10
        package var fieldCount = 100

        package init() {}
    }

    package enum Result {
        case needsMore
        /// `head` is complete.
        case head
        case refused(RequestFailure)
    }

    package private(set) var head = RequestHead()
    private let limits: Limits
    private var lineStart = 0
    private var scanned = 0
    private var hasRequestLine = false
    private var skippedEmptyLine = false
    private var framing = FramingFields()

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether anything of a request was seen.
    package var hasBegun: Bool { scanned > 0 }

    /// Makes ready for the next request, which begins a buffer of its own.
    package mutating func reset() {
        head.reset()
        lineStart = 0
        scanned = 0
        hasRequestLine = false
        skippedEmptyLine = false
        framing = FramingFields()
    }

    /// - Parameter bytes: everything from the request's first byte on, at each call the same and perhaps more.
    package mutating func parse(_ bytes: UnsafeRawBufferPointer) -> Result {
        do throws(RequestFailure) {
            while let lineFeed = lineFeed(in: bytes) {
                let line = lineStart..<lineFeed - 1
                guard lineFeed > lineStart, bytes[lineFeed - 1] == 0x0D else {
                    throw .malformed("A line ends without a carriage return.")
                }
                lineStart = lineFeed + 1
                scanned = lineStart
                if try take(line, bytes) { return .head }
            }
            scanned = bytes.count
            try checkLimits(bytes.count)
            return .needsMore
        } catch {
            return .refused(error)
        }
    }

    private func lineFeed(in bytes: UnsafeRawBufferPointer) -> Int? {
        bytes[scanned...].firstIndex(of: 0x0A)
    }

    /// - Returns: whether the line was the last of the head.
    private mutating func take(_ line: Range<Int>, _ bytes: UnsafeRawBufferPointer) throws(RequestFailure) -> Bool {
        if !hasRequestLine {
            // RFC 9112 section 2.2: one empty line before the request line is passed over.
            if line.isEmpty && !skippedEmptyLine {
                skippedEmptyLine = true
                return false
            }
            try takeRequestLine(line, bytes)
            hasRequestLine = true
            return false
        }
        try checkLimits(lineStart)
        guard line.isEmpty else {
            try takeField(line, bytes)
            return false
        }
        try framing.decide(&head)
        head.length = lineStart
        return true
    }

    private func checkLimits(_ count: Int) throws(RequestFailure) {
        // A request line has a method and a version beside its target.
        if !hasRequestLine, count - lineStart > limits.targetBytes + 64 { throw Self.targetTooLong }
        guard count <= limits.headBytes else {
            throw RequestFailure(.fieldsTooLarge, "fields-too-large", "The request's head has more than \(limits.headBytes) bytes.")
        }
    }

    private static let targetTooLong = RequestFailure(.uriTooLong, "target-too-long", "The request target is too long.")
}

extension RequestParser {
    /// `GET /path HTTP/1.1`, with single spaces.
    private mutating func takeRequestLine(_ line: Range<Int>, _ bytes: UnsafeRawBufferPointer) throws(RequestFailure) {
        guard let first = bytes[line].firstIndex(of: 0x20), let last = bytes[line].lastIndex(of: 0x20), first < last else {
            throw .malformed("The request line is not a method, a target and a version with single spaces between them.")
        }
        head.method = line.lowerBound..<first
        head.target = (first + 1)..<last
        guard !head.method.isEmpty, bytes[head.method].allSatisfy(ASCIISet.token.contains) else {
            throw .malformed("The method is not a token.")
        }
        try takeVersion(bytes[(last + 1)..<line.upperBound])
        guard head.target.count <= limits.targetBytes else { throw Self.targetTooLong }
        try TargetRules.check(bytes[head.target], method: bytes[head.method])
    }

    private mutating func takeVersion(_ version: Slice<UnsafeRawBufferPointer>) throws(RequestFailure) {
        let start = version.startIndex
        guard version.count == 8, version.starts(with: "HTTP/".utf8), version[start + 5].isDigit,
            version[start + 6] == UInt8(ascii: "."), version[start + 7].isDigit
        else { throw .malformed("The version is not HTTP/1.1 or HTTP/1.0.") }
        guard version[start + 5] == UInt8(ascii: "1") else {
            throw RequestFailure(.versionNotSupported, "http-version-not-supported", "Only HTTP/1.1 and HTTP/1.0 are spoken here.")
        }
        head.minorVersion = version[start + 7] == UInt8(ascii: "0") ? 0 : 1
    }

    private mutating func takeField(_ line: Range<Int>, _ bytes: UnsafeRawBufferPointer) throws(RequestFailure) {
        guard head.fields.count < limits.fieldCount else {
            throw RequestFailure(.fieldsTooLarge, "fields-too-large", "The request has more than \(limits.fieldCount) fields.")
        }
        // RFC 9112 section 5.2: a line that begins with a blank would be folded.
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound,
            bytes[line.lowerBound..<colon].allSatisfy(ASCIISet.token.contains)
        else { throw .malformed("A field line is not a name, a colon and a value.") }
        var (start, end) = (colon + 1, line.upperBound)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        guard bytes[start..<end].allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw .malformed("A field's value holds a control character.")
        }
        let field = RequestHead.Field(name: line.lowerBound..<colon, value: start..<end)
        head.fields.append(field)
        try note(field, bytes)
    }

    /// Keeps what the server itself needs to know.
    private mutating func note(_ field: RequestHead.Field, _ bytes: UnsafeRawBufferPointer) throws(RequestFailure) {
        let name = bytes[field.name]
        let value = bytes[field.value]
        switch name.count {
        case 4 where isNamed(name, "host"): try framing.takeHost(value)
        case 6 where isNamed(name, "accept"): remember(field.value, \.accept)
        case 6 where isNamed(name, "expect"): try framing.takeExpectation(value)
        case 10 where isNamed(name, "connection"): framing.takeConnection(value)
        case 13 where isNamed(name, "if-none-match"): remember(field.value, \.ifNoneMatch)
        case 14 where isNamed(name, "content-length"): try framing.takeContentLength(value)
        case 15 where isNamed(name, "accept-encoding"): remember(field.value, \.acceptEncoding)
        case 15 where isNamed(name, "accept-language"): remember(field.value, \.acceptLanguage)
        case 17 where isNamed(name, "transfer-encoding"): framing.takeTransferEncoding(value)
        default: break
        }
    }

    private mutating func remember(_ value: Range<Int>, _ place: WritableKeyPath<RequestHead, Range<Int>?>) {
        if head[keyPath: place] != nil { head.repeatsNegotiation = true }
        head[keyPath: place] = value
    }
}

private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09
}

private func isNamed(_ name: Slice<UnsafeRawBufferPointer>, _ lowercase: StaticString) -> Bool {
    var expected = lowercase.utf8Start
    for byte in name {
        guard byte.lowercased == expected.pointee else { return false }
        expected += 1
    }
    return true
}
