/// Writes the heads of answers (RFC 9112 4, 5).
package enum ResponseEncoder {
    /// What the `Connection` field says: nothing where the version's default is meant.
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

    /// Appends the head of `response`. The body follows it unless the request was HEAD or the status has none.
    /// `date` is an `IMF-fixdate`.
    package static func appendHead(
        of response: Response, date: [UInt8], connection: ConnectionField, to output: inout [UInt8]
    ) {
        output.append(contentsOf: statusLine(response.status))
        output.append(beforeDate)
        output.append(contentsOf: date)
        output.append(contentsOf: afterDate(response.status, response.fields, bodyCount: response.body.count))
        output.append(connection.bytes)
    }

    static func statusLine(_ status: Status) -> [UInt8] {
        let code = min(max(status.code, 100), 999)
        return Array("HTTP/1.1 \(code) \(clean(status.reason))\r\n".utf8)
    }

    /// What every answer says, whoever makes it: no browser may take the body for something that `Content-Type` does not say
    /// (Fetch standard, section 3.6).
    static let beforeDate: StaticString = "X-Content-Type-Options: nosniff\r\nDate: "

    /// The end of the date's line, the fields and Content-Length. Neither 1xx, 204 nor 304 have a length (RFC 9110 8.6).
    package static func afterDate(_ status: Status, _ fields: Fields, bodyCount: Int) -> [UInt8] {
        var bytes = Array("\r\n".utf8)
        for field in fields where isWritable(field.name) {
            bytes.append(contentsOf: field.name.utf8)
            bytes.append(Ascii.colon)
            bytes.append(Ascii.space)
            bytes.append(contentsOf: clean(field.value).utf8)
            bytes.append(Ascii.carriageReturn)
            bytes.append(Ascii.lineFeed)
        }
        if !status.isBodiless {
            bytes.append(contentsOf: "Content-Length: \(bodyCount)\r\n".utf8)
        }
        return bytes
    }

    private static let own = ["date", "content-length", "connection", "transfer-encoding", "x-content-type-options"]

    /// A token, and none of the fields that are the encoder's own.
    private static func isWritable(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(ByteClass.token.contains)
            && !own.contains { Ascii.equalIgnoringCase($0, name) }
    }

    /// Control bytes become blanks, so that no value can begin a line of its own (RFC 9110 5.5).
    private static func clean(_ value: String) -> String {
        guard !value.utf8.allSatisfy(ByteClass.isFieldValue) else { return value }
        return String(decoding: value.utf8.map { ByteClass.isFieldValue($0) ? $0 : Ascii.space }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends bytes without counting another reference to them.
    @inline(__always)
    package mutating func append(copying bytes: borrowing [UInt8]) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    @inline(__always)
    package mutating func append(copying bytes: borrowing [UInt8], _ range: Range<Int>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
    }

    @inline(__always)
    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
