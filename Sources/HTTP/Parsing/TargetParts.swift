import QuickActions

/// The ranges of the path and the query in a request target (RFC 9112 3.2).
struct TargetParts {
    var path: Range<Int>
    var query: Range<Int>?

    /// - Throws: 400 if the target does not have a form that the method allows; 501 for `CONNECT`.
    init(_ bytes: Span<UInt8>, in target: Range<Int>, method: Method) throws(RequestFailure) {
        guard let first = target.first else { throw Self.malformed }
        if method == .connect {
            guard Authority.isValid(bytes, in: target, portRequired: true) else { throw Self.malformed }
            throw .notImplemented("This server is not a proxy and does not support CONNECT.")
        }
        if bytes[first] == Ascii.slash {
            (path, query) = try Self.split(bytes, target)
        } else if bytes[first] == Ascii.asterisk, target.count == 1 {
            guard method == .options else { throw .badRequest("The target * is only valid with OPTIONS.") }
            path = target
            query = nil
        } else {
            let authority = try Self.authorityStart(bytes, target)
            var end = authority
            while end < target.upperBound, bytes[end] != Ascii.slash, bytes[end] != Ascii.questionMark { end &+= 1 }
            guard Authority.isValid(bytes, in: authority..<end) else { throw Self.malformed }
            (path, query) = try Self.split(bytes, end..<target.upperBound)
        }
    }

    private static let malformed = RequestFailure.badRequest(
        "The request target is malformed. Percent-encode characters that RFC 3986 does not allow.")

    /// The index of the authority in an absolute target (RFC 9112 3.2.2).
    private static func authorityStart(_ bytes: Span<UInt8>, _ target: Range<Int>) throws(RequestFailure) -> Int {
        guard let colon = bytes.firstIndex(of: Ascii.colon, in: target) else { throw malformed }
        let scheme = target.lowerBound..<colon
        let start = colon &+ 3
        guard bytes.spells("http", in: scheme) || bytes.spells("https", in: scheme), start <= target.upperBound,
            bytes[colon &+ 1] == Ascii.slash, bytes[colon &+ 2] == Ascii.slash
        else { throw malformed }
        return start
    }

    @inline(__always)
    private static func split(
        _ bytes: Span<UInt8>, _ range: Range<Int>
    ) throws(RequestFailure) -> (path: Range<Int>, query: Range<Int>?) {
        var index = range.lowerBound
        try check(bytes, &index, range.upperBound, allowed: .path)
        let path = range.lowerBound..<index
        guard index < range.upperBound else { return (path, nil) }
        guard bytes[index] == Ascii.questionMark else { throw malformed }
        index &+= 1
        let start = index
        try check(bytes, &index, range.upperBound, allowed: .query)
        guard index == range.upperBound else { throw malformed }
        return (path, start..<index)
    }

    /// Advances `index` over bytes of the class. A percent sign must be followed by two hexadecimal digits.
    @inline(__always)
    private static func check(
        _ bytes: Span<UInt8>, _ index: inout Int, _ end: Int, allowed: ByteClass
    ) throws(RequestFailure) {
        while index < end {
            let byte = bytes[index]
            guard byte.isASCIILetter || allowed.contains(byte) else { return }
            if byte == Ascii.percent {
                guard end &- index > 2, ByteClass.hexadecimal.contains(bytes[index &+ 1]),
                    ByteClass.hexadecimal.contains(bytes[index &+ 2])
                else { throw malformed }
                index &+= 2
            }
            index &+= 1
        }
    }
}
