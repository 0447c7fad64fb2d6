import QuickActions

/// Encodes response heads (RFC 9112 4, 5).
package enum ResponseEncoder {
    /// The `Connection` field, absent if the HTTP version's default applies.
    package enum ConnectionField: Sendable {
        case absent, close, keepAlive

        /// RFC 9112 9.3, 9.6.
        package init(minorVersion: Int, closes: Bool) {
            self = closes ? .close : minorVersion == 0 ? .keepAlive : .absent
        }

        package var bytes: StaticString {
            switch self {
            case .absent: "\r\n"
            case .close: "Connection: close\r\n\r\n"
            case .keepAlive: "Connection: keep-alive\r\n\r\n"
            }
        }
    }

    package static let continueLine: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"

    /// How the end of a body is found (RFC 9112 section 6.3).
    package enum Framing: Sendable {
        /// By `Content-Length`.
        case length
        /// By the chunked coding.
        case chunked
        /// By the end of the connection. Also for the head of a response to HEAD whose length is unknown.
        case untilClose
    }

    /// Appends the head of `response`.
    /// - Parameters:
    ///   - id: the request's.
    ///   - date: an `IMF-fixdate`.
    package static func appendHead(
        of response: Response, id: String, date: [UInt8], connection: ConnectionField, framing: Framing = .length, to output: inout [UInt8]
    ) {
        output.append(contentsOf: statusLine(response.status))
        output.append(beforeID)
        output.append(contentsOf: clean(id).utf8)
        output.append(beforeDate)
        output.append(contentsOf: date)
        output.append(contentsOf: afterDate(response.status, response.fields, bodyCount: framing == .length ? response.body.count : nil))
        if framing == .chunked { output.append("Transfer-Encoding: chunked\r\n" as StaticString) }
        output.append(connection.bytes)
    }

    static func statusLine(_ status: Status) -> [UInt8] {
        let code = min(max(status.code, 100), 999)
        return Array("HTTP/1.1 \(code) \(clean(status.reason))\r\n".utf8)
    }

    /// The part of every head before the request's id. `nosniff` stops browsers from guessing a media type (Fetch standard, section 3.6).
    static let beforeID: StaticString = "X-Content-Type-Options: nosniff\r\nX-Request-ID: "
    static let beforeDate: StaticString = "\r\nDate: "

    /// The CRLF of the `Date` line, the fields, and `Content-Length`, which 1xx, 204 and 304 do not have (RFC 9110 8.6).
    /// - Parameter bodyCount: nil if the length is unknown.
    package static func afterDate(_ status: Status, _ fields: Fields, bodyCount: Int?) -> [UInt8] {
        var bytes = Array("\r\n".utf8)
        for field in fields where isWritable(field.name) {
            bytes.append(contentsOf: field.name.utf8)
            bytes.append(Ascii.colon)
            bytes.append(Ascii.space)
            bytes.append(contentsOf: clean(field.value).utf8)
            bytes.append(Ascii.carriageReturn)
            bytes.append(Ascii.lineFeed)
        }
        if let bodyCount, !status.isBodiless {
            bytes.append(contentsOf: "Content-Length: \(bodyCount)\r\n".utf8)
        }
        return bytes
    }

    /// Fields that only the encoder writes.
    private static let reserved = ["date", "content-length", "connection", "transfer-encoding", "x-content-type-options", "x-request-id"]

    /// Whether the name is a token and not reserved.
    private static func isWritable(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(ByteClass.token.contains)
            && !reserved.contains { Ascii.equalIgnoringCase($0, name) }
    }

    /// Replaces control bytes by spaces, so that no value can inject a line (RFC 9110 5.5).
    private static func clean(_ value: String) -> String {
        guard !value.utf8.allSatisfy(ByteClass.isFieldValue) else { return value }
        return String(decoding: value.utf8.map { ByteClass.isFieldValue($0) ? $0 : Ascii.space }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends bytes without retaining their array.
    @inline(__always)
    package mutating func append(copying bytes: borrowing [UInt8]) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    @inline(__always)
    package mutating func append(copying bytes: borrowing [UInt8], _ range: Range<Int>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
    }

    @inline(__always)
    mutating func append(copying bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    @inline(__always)
    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}

/// The chunked transfer coding (RFC 9112 section 7.1).
package enum ChunkEncoder {
    /// One chunk. Empty for no bytes, because an empty chunk would end the body.
    package static func chunk(_ bytes: some Collection<UInt8>) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [Ascii.carriageReturn, Ascii.lineFeed]
    }

    /// The end of a body without trailer fields.
    package static let end = Array("0\r\n\r\n".utf8)
}

/// The bytes of the `Date` field's value, formatted once a second.
package struct DateStamp: Sendable {
    private var second = Int.min
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Formats `bytes` again if the second has changed.
    @inline(__always)
    package mutating func update(secondsSince1970 now: Int) {
        guard now != second else { return }
        second = now
        bytes = HTTPDate(secondsSince1970: Int64(now)).bytes
    }
}
