import HTTP
import Shortcuts

/// An answer of the client plane that lacks the client's version wherever it is written: made once for all versions that have the same
/// set, and completed for each.
struct AnswerTemplate {
    /// What of the body comes behind the last place for a version. Where it is long, it is hashed and compressed once.
    private enum Tail {
        case short
        case long([UInt8], digest: [UInt8], gzipped: GzipTail)
    }

    /// Field lines up to the entity tag, from there to where the location stands, and from there on up to the length.
    private let beforeTag, beforeLocation, beforeLength: [UInt8]
    /// The body, or its first part, with placeholders.
    private let head: [UInt8]
    private let tail: Tail

    /// From so many bytes on it pays to treat them apart.
    private static let longTail = 16 << 10
    /// How many field lines a 304 has (RFC 9110 section 15.4.5): ETag, Cache-Control, Vary, Content-Location.
    private static let validators = 4

    /// - Parameter body: with placeholders.
    init(_ body: [UInt8], as representation: SelectedRepresentation, vary: String, _ moment: CachePolicy.Moment) {
        var fields = Fields()
        fields.append("ETag", Self.mark)
        fields.append("Cache-Control", moment.ofMenu)
        fields.append("Vary", vary)
        fields.append("Content-Location", Self.mark)
        fields.append("Content-Type", representation.resource.mediaType)
        if let language = representation.language { fields.append("Content-Language", language.description) }
        fields.append("Surrogate-Key", "app/\(representation.app)")
        let lines = ResponseEncoder.afterDate(.ok, fields, bodyCount: 0)
        let (mark, length) = (Array(Self.mark.utf8), Array(Self.length.utf8))
        let parts = lines.split(separating: [mark, mark, length + Array("0\r\n".utf8)])
        (beforeTag, beforeLocation, beforeLength) = (parts[0], parts[1], parts[2] + length)

        let split = WrittenVersion.endOfLastPlaceholder(in: body)
        if body.count - split >= Self.longTail, case let rest = Array(body[split...]), let gzipped = GzipTail(rest) {
            head = Array(body[..<split])
            tail = .long(rest, digest: sha256(rest), gzipped: gzipped)
        } else {
            head = body
            tail = .short
        }
    }

    /// Whether compressing what is left to compress takes some 50 µs at most, so that an event loop may do it.
    var isQuicklyCompressed: Bool { head.count <= 8 << 10 }

    // Neither can occur in what the fields say: the one is no character, the other begins a line.
    private static let mark = "\u{FFFF}"
    private static let length = "\r\nContent-Length: "

    /// The answer to a client.
    /// - Parameter prefix: what is kept with it and not sent.
    /// - Returns: nil where it should be compressed and zlib cannot have its memory.
    func completed(as representation: SelectedRepresentation, prefix: [UInt8], by route: String) -> PreparedAnswer? {
        let head = WrittenVersion.put(representation.client, into: head)
        let body: [ArraySlice<UInt8>]
        let hash: String
        switch (tail, representation.isGzipped) {
        case (.short, false):
            body = [head[...]]
            hash = entityHash(of: head)
        case (.short, true):
            guard let gzipped = gzip(head) else { return nil }
            body = [gzipped[...]]
            hash = entityHash(of: gzipped)
        case (.long(let rest, let digest, _), false):
            body = [head[...], rest[...]]
            hash = entityHash(of: head + digest)
        case (.long(_, _, let rest), true):
            guard let gzipped = rest.member(behind: head) else { return nil }
            body = [gzipped[...]]
            hash = entityHash(of: gzipped)
        }
        let tag = Array("\"\(hash)\"".utf8)
        var lines = beforeTag
        lines.reserveCapacity(512)
        lines += tag
        lines += beforeLocation
        lines += representation.location.utf8
        lines += beforeLength
        lines += String(body.reduce(0) { $0 + $1.count }).utf8
        if representation.isGzipped { lines += "\r\nContent-Encoding: gzip".utf8 }
        if let notice = representation.notice { lines += "\r\n\(ParameterNotice.field): \(notice.text)".utf8 }
        lines += "\r\n".utf8
        return PreparedAnswer(
            prefix: prefix, lines: lines, etag: beforeTag.count..<beforeTag.count + tag.count, validators: Self.validators, body: body,
            route: route)
    }
}

// MARK: - Kept as bytes

extension AnswerTemplate {
    var encoded: [UInt8] {
        var parts = [beforeTag, beforeLocation, beforeLength, head]
        if case .long(let rest, let digest, let gzipped) = tail {
            parts += [rest, digest, gzipped.deflated, withUnsafeBytes(of: gzipped.checksum.littleEndian) { Array($0) }]
        }
        return parts.reduce(into: []) { bytes, part in
            withUnsafeBytes(of: UInt32(part.count).littleEndian) { bytes += $0 }
            bytes += part
        }
    }

    /// Nil where they are not what `encoded` makes.
    init?(_ encoded: ArraySlice<UInt8>) {
        var (rest, parts) = (encoded, [[UInt8]]())
        while let count = rest.littleEndianNumber, rest.count >= 4 + count {
            parts.append(Array(rest.dropFirst(4).prefix(count)))
            rest = rest.dropFirst(4 + count)
        }
        guard rest.isEmpty, parts.count == 4 || parts.count == 8 else { return nil }
        (beforeTag, beforeLocation, beforeLength, head) = (parts[0], parts[1], parts[2], parts[3])
        guard parts.count == 8 else {
            tail = .short
            return
        }
        guard let checksum = parts[7][...].littleEndianNumber else { return nil }
        let gzipped = GzipTail(deflated: parts[6], count: parts[4].count, checksum: UInt32(checksum))
        tail = .long(parts[4], digest: parts[5], gzipped: gzipped)
    }
}

extension ArraySlice<UInt8> {
    /// The first four bytes.
    fileprivate var littleEndianNumber: Int? {
        count < 4 ? nil : prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension [UInt8] {
    /// What is before each of the separators, which are looked for one after the other; what follows the last is left out.
    fileprivate func split(separating separators: [[UInt8]]) -> [[UInt8]] {
        var rest = self[...]
        return separators.map { separator in
            guard let range = rest.firstRange(of: separator) else { return [] }
            defer { rest = rest[range.upperBound...] }
            return Array(rest[..<range.lowerBound])
        }
    }
}
