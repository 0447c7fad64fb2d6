/// The fields that say where a request ends, kept until all are read (RFC 9112 section 6.3).
struct FramingFields {
    private var hosts = 0
    private var contentLength: Int?
    private var transferCodings: [String] = []
    private var hasTransferEncoding = false
    private var expectsContinue = false
    private var closes = false
    private var asksToKeepAlive = false

    mutating func takeHost(_ value: Slice<UnsafeRawBufferPointer>) throws(RequestFailure) {
        hosts += 1
        guard hosts == 1 else { throw .malformed("Host is given twice.") }
        guard HostRules.isHost(value) else { throw .malformed("Host is not a host with an optional port.") }
    }

    /// Digits only: a sign, a blank or a list is where two readers would part. So is a second field, even an equal one.
    mutating func takeContentLength(_ value: Slice<UnsafeRawBufferPointer>) throws(RequestFailure) {
        guard contentLength == nil else { throw .malformed("Content-Length is given twice.") }
        guard !value.isEmpty, value.allSatisfy(\.isDigit) else { throw .malformed("Content-Length is not a number.") }
        guard value.count <= 18 else { throw RequestFailure.bodyTooLarge }
        contentLength = value.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    mutating func takeTransferEncoding(_ value: Slice<UnsafeRawBufferPointer>) {
        hasTransferEncoding = true
        transferCodings += list(value)
    }

    mutating func takeExpectation(_ value: Slice<UnsafeRawBufferPointer>) throws(RequestFailure) {
        guard list(value) == ["100-continue"] else {
            throw RequestFailure(.expectationFailed, "expectation-failed", "The only expectation that is met is 100-continue.")
        }
        expectsContinue = true
    }

    mutating func takeConnection(_ value: Slice<UnsafeRawBufferPointer>) {
        for option in list(value) {
            if option == "close" { closes = true }
            if option == "keep-alive" { asksToKeepAlive = true }
        }
    }

    func decide(_ head: inout RequestHead) throws(RequestFailure) {
        let isOld = head.minorVersion == 0
        guard hosts == 1 || isOld else { throw .malformed("Host is missing.") }
        if hasTransferEncoding {
            guard contentLength == nil else { throw .malformed("Content-Length and Transfer-Encoding are both given.") }
            guard !isOld else { throw .malformed("HTTP/1.0 has no Transfer-Encoding.") }
            try decideTransferCoding()
            head.framing = .chunked
        } else if let contentLength, contentLength > 0 {
            head.framing = .length(contentLength)
        }
        head.keepsAlive = !closes && (!isOld || asksToKeepAlive)
        head.expectsContinue = expectsContinue && !isOld && head.framing != .none
    }

    private func decideTransferCoding() throws(RequestFailure) {
        guard transferCodings != ["chunked"] else { return }
        guard transferCodings.last == "chunked", transferCodings.count(where: { $0 == "chunked" }) == 1 else {
            throw .malformed("Transfer-Encoding does not end with chunked, once.")
        }
        throw RequestFailure(.notImplemented, "not-implemented", "The only transfer coding that is understood is chunked.")
    }

    /// The elements of a comma-separated list in lower case; an empty one stays, to be refused.
    private func list(_ value: Slice<UnsafeRawBufferPointer>) -> [String] {
        String(decoding: value, as: UTF8.self).lowercased()
            .split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0.trimmingBlanks) }
    }
}
