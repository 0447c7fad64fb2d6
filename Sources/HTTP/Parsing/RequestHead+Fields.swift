extension RequestHead {
    /// Appends a field, and parses it if the server itself uses it.
    @inline(__always)
    mutating func append(_ field: FieldRange, _ bytes: Span<UInt8>) throws(RequestFailure) {
        fields.append(field)
        let name = field.name
        switch name.count {
        case 4 where bytes.spells("host", in: name): try parseHost(bytes, field.value)
        case 6 where bytes.spells("accept", in: name): accept = replacing(field.value, former: accept)
        case 6 where bytes.spells("expect", in: name): try parseExpect(bytes, field.value)
        case 8 where bytes.spells("if-match", in: name): hasIfMatch = true
        case 10 where bytes.spells("connection", in: name): parseConnection(bytes, field.value)
        case 11 where bytes.spells("traceparent", in: name): traceParent = traceParent == nil ? field.value : 0..<0
        case 12 where bytes.spells("x-request-id", in: name): requestID = requestID == nil ? field.value : 0..<0
        case 13 where bytes.spells("if-none-match", in: name): ifNoneMatch = replacing(field.value, former: ifNoneMatch)
        case 13 where bytes.spells("authorization", in: name): authorization = replacing(field.value, former: authorization)
        case 14 where bytes.spells("content-length", in: name): try parseContentLength(bytes, field.value)
        case 15 where bytes.spells("accept-encoding", in: name): acceptEncoding = replacing(field.value, former: acceptEncoding)
        case 15 where bytes.spells("accept-language", in: name): acceptLanguage = replacing(field.value, former: acceptLanguage)
        case 17 where bytes.spells("transfer-encoding", in: name): try codings.append(bytes, field.value)
        default: break
        }
    }

    /// Checks the fields for consistency at the end of the head, and determines framing and persistence.
    mutating func finish(_ bytes: Span<UInt8>) throws(RequestFailure) {
        guard host != nil || minorVersion == 0 else {
            throw .badRequest("The Host field is missing. Send exactly one.")
        }
        if !codings.isEmpty {
            // RFC 9112 6.1: both together, and chunks in HTTP/1.0, are used for request smuggling.
            guard contentLength == nil else { throw .badRequest("Send Content-Length or Transfer-Encoding, not both.") }
            guard minorVersion > 0 else { throw .badRequest("HTTP/1.0 has no Transfer-Encoding. Send Content-Length.") }
            try codings.check()
            framing = .chunked
        } else if let contentLength, contentLength > 0 {
            framing = .length(contentLength)
        }
        keepsAlive = !asksClose && (minorVersion > 0 || asksKeepAlive)
        expectsContinue = expectsContinue && minorVersion > 0 && framing != .none
    }

    @inline(__always)
    private mutating func replacing(_ value: Range<Int>, former: Range<Int>?) -> Range<Int> {
        if former != nil { repeatsKnownField = true }
        return value
    }

    private mutating func parseHost(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestFailure) {
        guard host == nil else { throw .badRequest("There is more than one Host field. Send exactly one.") }
        guard Authority.isValid(bytes, in: value) else { throw .badRequest("The Host field is not a host name with an optional port.") }
        host = value
    }

    /// Digits only. A repeated field or a list is rejected even if its values are equal, which RFC 9112 6.3 allows.
    private mutating func parseContentLength(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestFailure) {
        guard contentLength == nil else { throw .badRequest("There is more than one Content-Length field. Send one.") }
        var length = 0
        for index in value {
            let digit = bytes[index] &- Ascii.zero
            let (tens, tooMany) = length.multipliedReportingOverflow(by: 10)
            let (sum, tooLarge) = tens.addingReportingOverflow(Int(digit))
            guard digit < 10, !tooMany, !tooLarge else { throw Self.badLength }
            length = sum
        }
        guard !value.isEmpty else { throw Self.badLength }
        contentLength = length
    }

    private static let badLength = RequestFailure.badRequest("Content-Length is not a number of bytes. Send digits only.")

    private mutating func parseExpect(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestFailure) {
        try bytes.forEachElement(in: value) { (element) throws(RequestFailure) in
            guard bytes.spells("100-continue", in: element) else { throw .expectationFailed }
        }
        expectsContinue = true
    }

    private mutating func parseConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        bytes.forEachElement(in: value) { option in
            if bytes.spells("close", in: option) { asksClose = true }
            if bytes.spells("keep-alive", in: option) { asksKeepAlive = true }
        }
    }
}
