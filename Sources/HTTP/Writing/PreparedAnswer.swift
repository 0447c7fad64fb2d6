/// An encoded 200 that is sent many times, also as its 304. `appendHead` adds the fields that differ: `X-Request-ID`, `Date` and
/// `Connection`.
///
/// HEAD gets the head of the 200.
package struct PreparedAnswer: Sendable {
    /// The offsets of the parts in `bytes`.
    package struct Layout: Sendable {
        /// The end of `prefix`, and the first byte after the date.
        private let linesStart: UInt32
        /// The end of the field lines that a 304 has.
        private let validatorsEnd: UInt32
        private let bodyStart: UInt32
        private let etagStart: UInt32
        private let etagEnd: UInt32

        fileprivate init(lines: Range<Int>, validatorsEnd: Int, etag: Range<Int>) {
            linesStart = UInt32(lines.lowerBound)
            self.validatorsEnd = UInt32(validatorsEnd)
            bodyStart = UInt32(lines.upperBound)
            etagStart = UInt32(etag.lowerBound)
            etagEnd = UInt32(etag.upperBound)
        }

        fileprivate func shifted(by count: Int) -> Layout {
            func shifted(_ range: Range<Int>) -> Range<Int> { range.lowerBound + count..<range.upperBound + count }
            return Layout(lines: shifted(lines), validatorsEnd: Int(validatorsEnd) + count, etag: shifted(etag))
        }

        package var prefix: Range<Int> { 0..<Int(linesStart) }
        fileprivate var lines: Range<Int> { Int(linesStart)..<Int(bodyStart) }
        fileprivate var validators: Range<Int> { Int(linesStart)..<Int(validatorsEnd) }
        /// The entity tag with its quotes.
        fileprivate var etag: Range<Int> { Int(etagStart)..<Int(etagEnd) }
    }

    /// The prefix, the head from the CRLF of the `Date` line on, and the body.
    package let bytes: [UInt8]
    package let layout: Layout
    /// The route's name, for metrics.
    package let route: String?
    /// Whether it is sent as 304.
    package private(set) var isNotModified = false

    /// - Parameters:
    ///   - prefix: bytes that are stored before the answer and not sent, such as the key of a cache.
    ///   - fields: the first one is `ETag`.
    ///   - validators: the number of fields, from the first one, that the 304 also has (RFC 9110 15.4.5).
    package init(prefix: [UInt8] = [], fields: Fields, validators: Int, body: [UInt8], route: String? = nil) {
        let lines = ResponseEncoder.afterDate(.ok, fields, bodyCount: body.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(prefix.count + lines.count + body.count)
        bytes.append(copying: prefix)
        bytes.append(copying: lines)
        bytes.append(copying: body)
        let place = prefix.count..<prefix.count + lines.count
        let validatorsEnd = (0...validators).reduce(place.lowerBound) { end, _ in
            bytes.span.firstIndex(of: Ascii.lineFeed, in: end..<place.upperBound).map { $0 + 1 } ?? place.upperBound
        }
        let tag = place.lowerBound + "\r\nETag: ".utf8.count
        let etag = tag..<tag + (fields.first("ETag")?.utf8.count ?? 0)
        self.init(bytes: bytes, layout: Layout(lines: place, validatorsEnd: validatorsEnd, etag: etag), route: route)
    }

    /// The same answer with another prefix.
    package func replacingPrefix(_ prefix: [UInt8]) -> PreparedAnswer {
        let shift = prefix.count - layout.prefix.count
        var answer = PreparedAnswer(bytes: prefix + bytes[layout.lines.lowerBound...], layout: layout.shifted(by: shift), route: route)
        answer.isNotModified = isNotModified
        return answer
    }

    /// An answer from the stored parts of another answer.
    package init(bytes: [UInt8], layout: Layout, route: String?) {
        self.bytes = bytes
        self.layout = layout
        self.route = route
    }

    /// The answer to a request: the 304 if its `If-None-Match` matches the entity tag (RFC 9110 13.1.2).
    @inline(__always)
    package func conditional(on head: borrowing RequestHead, _ request: Span<UInt8>) -> PreparedAnswer {
        guard let condition = head.ifNoneMatch,
            EntityTag.isListed(bytes.span.extracting(layout.etag), in: request.extracting(condition))
        else { return self }
        return notModified
    }

    /// The answer as a 304.
    package var notModified: PreparedAnswer {
        var answer = self
        answer.isNotModified = true
        return answer
    }

    package var etag: EntityTag? { EntityTag(String(decoding: bytes[layout.etag], as: UTF8.self)) }

    package var status: Status { isNotModified ? .notModified : .ok }

    /// The body of the 200. A 304 is sent without it.
    package var body: ArraySlice<UInt8> { bytes[layout.lines.upperBound...] }

    /// Appends the head. Does not allocate while `output` has capacity.
    @inline(__always)
    package func appendHead(
        id: [UInt8], date: [UInt8], connection: ResponseEncoder.ConnectionField, to output: inout [UInt8]
    ) {
        output.append(isNotModified ? Self.notModified : Self.ok)
        output.append(ResponseEncoder.beforeID)
        output.append(copying: id)
        output.append(ResponseEncoder.beforeDate)
        output.append(copying: date)
        output.append(copying: bytes, isNotModified ? layout.validators : layout.lines)
        output.append(connection.bytes)
    }

    /// What is sent, parsed from the bytes.
    var parts: (fields: Fields, body: [UInt8]) {
        var fields = Fields()
        let lines = bytes[isNotModified ? layout.validators : layout.lines]
        for line in String(decoding: lines, as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":"), !line.hasPrefix("Content-Length:") else { continue }
            fields.append(String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
        return (fields, isNotModified ? [] : Array(body))
    }

    // Static strings, because the reference count of an array would be contended between loops.
    private static let ok: StaticString = "HTTP/1.1 200 OK\r\n"
    private static let notModified: StaticString = "HTTP/1.1 304 Not Modified\r\n"
}
