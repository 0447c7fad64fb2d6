/// An answer as bytes, made once and sent many times, as its 200 or as its 304. It only lacks the date and what the connection
/// wants to say.
///
/// HEAD is answered with the same head and no body.
package struct PreparedAnswer: Sendable {
    /// What follows the head of the 200; a 304 has none.
    package let body: [UInt8]
    /// The route's name, for metrics.
    package let route: String?
    /// Whether it is for who has these bytes already.
    package private(set) var isNotModified = false
    /// From the end of the date's line on; a 304 has the beginning of them only.
    private let lines: [UInt8]
    private let validatorsEnd: Int
    /// Where the entity tag stands in the lines, with its quotes.
    private let etag: Range<Int>

    /// - Parameter validators: how many of the fields, from the first on, the 304 has too (RFC 9110 15.4.5).
    package init(fields: Fields, validators: Int, body: [UInt8], route: String? = nil) {
        let lines = ResponseEncoder.afterDate(.ok, fields, bodyCount: body.count)
        let ends = lines.indices.filter { lines[$0] == Ascii.lineFeed }
        self.init(
            body: body, route: route, lines: lines, validatorsEnd: validators < ends.count ? ends[validators] + 1 : lines.count,
            etag: fields.first("ETag").flatMap { lines.firstRange(of: Array($0.utf8)) } ?? 0..<0)
    }

    private init(body: [UInt8], route: String?, lines: [UInt8], validatorsEnd: Int, etag: Range<Int>) {
        self.body = body
        self.route = route
        self.lines = lines
        self.validatorsEnd = validatorsEnd
        self.etag = etag
    }

    /// The same in memory of its own, whose references nobody else counts.
    package func copied() -> PreparedAnswer {
        PreparedAnswer(
            body: body.withUnsafeBufferPointer { Array($0) }, route: route, lines: lines.withUnsafeBufferPointer { Array($0) },
            validatorsEnd: validatorsEnd, etag: etag)
    }

    /// This answer for the request: its 304 where an `If-None-Match` lists the tag.
    @inline(__always)
    package func conditional(on head: borrowing RequestHead, _ bytes: Span<UInt8>) -> PreparedAnswer {
        guard let condition = head.ifNoneMatch, EntityTag.isListed(lines.span.extracting(etag), in: bytes.extracting(condition))
        else { return self }
        var answer = self
        answer.isNotModified = true
        return answer
    }

    package var status: Status { isNotModified ? .notModified : .ok }

    /// What the fields take in memory; the body is counted where it is made.
    package var fieldBytes: Int { lines.count }

    /// Appends everything before the body. Allocates nothing while `output` has room.
    @inline(__always)
    package func appendHead(date: [UInt8], connection: ResponseEncoder.ConnectionField, to output: inout [UInt8]) {
        output.append(isNotModified ? Self.notModified : Self.ok)
        output.append(copying: date)
        let end = isNotModified ? validatorsEnd : lines.count
        lines.withUnsafeBufferPointer { output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<end])) }
        output.append(connection.bytes)
    }

    // Literals, because two loops would count references to one array.
    private static let ok: StaticString = "HTTP/1.1 200 OK\r\nDate: "
    private static let notModified: StaticString = "HTTP/1.1 304 Not Modified\r\nDate: "
}
