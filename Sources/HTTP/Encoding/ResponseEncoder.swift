/// Writes the head of an answer (RFC 9112 section 4).
package struct ResponseEncoder {
    private let date: [UInt8]

    /// - Parameter date: as `HTTPDate` writes it.
    package init(date: [UInt8]) {
        self.date = date
    }

    /// The status line and the date come first, so that the date's place is known.
    package static func dateOffset(_ status: Status) -> Int {
        statusLine(status).utf8.count + "Date: ".utf8.count
    }

    package func head(_ response: Response, keepsAlive: Bool, isOldClient: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        bytes.append(contentsOf: Self.statusLine(response.status).utf8)
        bytes.append(contentsOf: "Date: ".utf8)
        bytes.append(contentsOf: date)
        bytes.append(contentsOf: "\r\n".utf8)
        for field in response.fields.all { Self.append(field.name, field.value, to: &bytes) }
        // RFC 9110 section 8.6: neither 204 nor 304 has content, and a length of 304 would be the 200's.
        if response.status.code != 204, response.status.code != 304 {
            Self.append("Content-Length", String(response.body.count), to: &bytes)
        }
        if !keepsAlive {
            Self.append("Connection", "close", to: &bytes)
        } else if isOldClient {
            Self.append("Connection", "keep-alive", to: &bytes)
        }
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }

    private static func statusLine(_ status: Status) -> String {
        "HTTP/1.1 \(status.code) \(status.reason)\r\n"
    }

    /// A line break in a value would end the field: RFC 9110 section 5.5 has it replaced.
    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(contentsOf: ": ".utf8)
        for byte in value.utf8 {
            bytes.append(byte == 0x0D || byte == 0x0A || byte == 0 ? UInt8(ascii: " ") : byte)
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }
}
