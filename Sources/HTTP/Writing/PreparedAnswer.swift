/// An answer as bytes, made once and sent many times. It only lacks the date and what the connection wants to say.
///
/// HEAD is answered with the same head and no body.
package struct PreparedAnswer: Sendable {
    package let status: Status
    package let body: [UInt8]
    /// The route's name, for metrics.
    package let route: String?
    private let beforeDate: [UInt8]
    /// From the end of the date's line on; of a 304 only the beginning is sent, so that it shares them with its 200.
    private let lines: [UInt8]
    private let lineBytes: Int

    package init(_ status: Status, fields: Fields, body: [UInt8], route: String? = nil) {
        let lines = ResponseEncoder.afterDate(status, fields, bodyCount: body.count)
        self.init(status, lines, lineBytes: lines.count, body: status.isBodiless ? [] : body, route: route)
    }

    package init(_ response: Response, route: String? = nil) {
        self.init(response.status, fields: response.fields, body: response.body, route: route)
    }

    private init(_ status: Status, _ lines: [UInt8], lineBytes: Int, body: [UInt8], route: String?) {
        self.status = status
        self.body = body
        self.route = route
        self.lines = lines
        self.lineBytes = lineBytes
        beforeDate = status == .ok ? Self.ok : status == .notModified ? Self.notModified : ResponseEncoder.beforeDate(status)
    }

    private static let ok = ResponseEncoder.beforeDate(.ok)
    private static let notModified = ResponseEncoder.beforeDate(.notModified)

    /// The 304 for who has these bytes already, with the first so many of the fields (RFC 9110 15.4.5).
    package func notModified(keeping fields: Int) -> PreparedAnswer {
        var ends = lines.indices.lazy.filter { lines[$0] == Ascii.lineFeed }.dropFirst(fields).makeIterator()
        return PreparedAnswer(.notModified, lines, lineBytes: ends.next().map { $0 + 1 } ?? lines.count, body: [], route: route)
    }

    /// What the fields take in memory; the body is counted where it is made.
    package var fieldBytes: Int { lines.count }

    /// Appends everything before the body. Allocates nothing while `output` has room.
    @inline(__always)
    package func appendHead(date: [UInt8], connection: ResponseEncoder.ConnectionField, to output: inout [UInt8]) {
        output.append(copying: beforeDate)
        output.append(copying: date)
        lines.withUnsafeBufferPointer { output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<lineBytes])) }
        output.append(connection.bytes)
    }
}
