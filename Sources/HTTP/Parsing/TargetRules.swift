/// The forms that a request target may have (RFC 9112 section 3.2).
enum TargetRules {
    static func check(_ target: Slice<UnsafeRawBufferPointer>, method: Slice<UnsafeRawBufferPointer>) throws(RequestFailure) {
        if method.elementsEqual("CONNECT".utf8) {
            throw RequestFailure(.notImplemented, "not-implemented", "CONNECT is not spoken here.")
        }
        guard let first = target.first else { throw .malformed("The request target is empty.") }
        if first == UInt8(ascii: "*"), target.count == 1 {
            guard method.elementsEqual("OPTIONS".utf8) else { throw .malformed("The target * belongs to OPTIONS.") }
            return
        }
        let origin = try first == UInt8(ascii: "/") ? target : afterAuthority(target)
        try checkCharacters(origin)
    }

    /// The rest of an absolute form: a proxy's way to write a target, which every server takes.
    private static func afterAuthority(_ target: Slice<UnsafeRawBufferPointer>) throws(RequestFailure) -> Slice<UnsafeRawBufferPointer> {
        for scheme in ["http://", "https://"] {
            guard target.count > scheme.utf8.count, zip(target, scheme.utf8).allSatisfy({ $0.lowercased == $1 }) else { continue }
            let rest = target.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            guard !authority.isEmpty, HostRules.isHost(authority) else { break }
            return rest.dropFirst(authority.count)
        }
        throw .malformed("The request target is neither a path nor an absolute URI.")
    }

    private static func checkCharacters(_ target: Slice<UnsafeRawBufferPointer>) throws(RequestFailure) {
        var index = target.startIndex
        while index < target.endIndex {
            let byte = target[index]
            guard ASCIISet.target.contains(byte) else {
                throw .malformed("The request target holds a character that must be percent-encoded.")
            }
            if byte == UInt8(ascii: "%") {
                guard index + 2 < target.endIndex, target[index + 1].hexDigit != nil, target[index + 2].hexDigit != nil else {
                    throw .malformed("The request target holds a percent sign without two hexadecimal digits.")
                }
                index += 2
            }
            index += 1
        }
    }
}

/// `Host` and the authority of an absolute form (RFC 9110 section 7.2): a host with an optional port.
enum HostRules {
    static func isHost(_ value: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard value.allSatisfy(ASCIISet.host.contains) else { return false }
        var rest = value
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            rest = rest[(end + 1)...]
        } else {
            rest = rest.drop { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
        }
        guard let colon = rest.first else { return true }
        let port = rest.dropFirst()
        return colon == UInt8(ascii: ":") && port.count <= 5 && port.allSatisfy(\.isDigit)
    }
}
