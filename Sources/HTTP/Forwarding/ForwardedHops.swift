import QuickActions

/// The addresses and schemes that the proxies of a request report, the nearest proxy first.
///
/// The fields are read from the end, element by element: the client may have written the beginning, which must not change how the rest is
/// read.
struct ForwardedHops {
    struct Hop {
        /// Nil if the proxy hides the address or sends an invalid one.
        var address: IPAddress?
        /// Nil if the proxy does not say.
        var isEncrypted: Bool?
    }

    private let field: TrustedProxies.Field
    private var elements: ListFromEnd
    /// `X-Forwarded-Proto`. It may have fewer elements than there are proxies. Its first element is then the farthest proxy's.
    private var schemes: ListFromEnd
    private var scheme: Substring?
    private var hasBegun = false

    init(_ fields: Fields, _ field: TrustedProxies.Field) {
        self.field = field
        switch field {
        case .xForwarded:
            elements = ListFromEnd(fields.all("X-Forwarded-For"), hasQuotes: false)
            schemes = ListFromEnd(fields.all("X-Forwarded-Proto"), hasQuotes: false)
        case .forwarded:
            elements = ListFromEnd(fields.all("Forwarded"), hasQuotes: true)
            schemes = ListFromEnd([], hasQuotes: false)
        }
    }

    mutating func next() -> Hop? {
        defer { hasBegun = true }
        switch field {
        case .forwarded: return elements.next().map(Self.hop)
        case .xForwarded:
            scheme = schemes.next() ?? scheme
            let element = elements.next()
            // A proxy that reports only the scheme is the last one.
            guard element != nil || !hasBegun && scheme != nil else { return nil }
            return Hop(
                address: element.flatMap { Self.address($0, isBare: true) }, isEncrypted: scheme.flatMap { Self.isEncrypted($0) })
        }
    }

    /// An element of `Forwarded`: pairs separated by semicolons, each name once (RFC 7239 section 4). An invalid element gives an empty
    /// hop.
    private static func hop(_ element: Substring) -> Hop {
        var values: [String: String] = [:]
        var rest = Array(element.utf8)[...]
        while true {
            rest = rest.drop(while: Ascii.isBlank)
            let name = rest.prefix(while: ByteClass.token.contains)
            rest = rest.dropFirst(name.count)
            if !name.isEmpty {
                guard rest.popFirst() == Ascii.equals, let value = value(&rest),
                    values.updateValue(value, forKey: String(decoding: name, as: UTF8.self).lowercased()) == nil
                else { return Hop() }
            }
            rest = rest.drop(while: Ascii.isBlank)
            guard let separator = rest.popFirst() else { break }
            guard separator == Ascii.semicolon else { return Hop() }
        }
        return Hop(
            address: values["for"].flatMap { address($0[...], isBare: false) },
            isEncrypted: values["proto"].flatMap { isEncrypted($0[...]) })
    }

    /// A token, or a quoted string without its quotes (RFC 9110 section 5.6.4).
    private static func value(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first == Ascii.quote else {
            let token = rest.prefix(while: ByteClass.token.contains)
            rest = rest.dropFirst(token.count)
            return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == Ascii.quote { return String(decoding: value, as: UTF8.self) }
            guard let meant = byte == Ascii.backslash ? rest.popFirst() : byte else { return nil }
            value.append(meant)
        }
        return nil
    }

    /// An address with or without a port. IPv6 is in brackets (RFC 7239 section 6), or bare in `X-Forwarded-For`.
    private static func address(_ node: Substring, isBare: Bool) -> IPAddress? {
        if isBare, let address = IPAddress(String(node)) { return address }
        let host: Substring
        let port: Substring
        if node.hasPrefix("[") {
            guard let end = node.firstIndex(of: "]") else { return nil }
            (host, port) = (node[..<end].dropFirst(), node[node.index(after: end)...])
            guard host.contains(":") else { return nil }
        } else {
            let colon = node.firstIndex(of: ":") ?? node.endIndex
            (host, port) = (node[..<colon], node[colon...])
        }
        guard port.isEmpty || isPort(port.dropFirst()) && port.first == ":" else { return nil }
        return IPAddress(String(host))
    }

    /// Up to five digits, or an obfuscated port.
    private static func isPort(_ text: Substring) -> Bool {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "_") else { return (1...5).contains(bytes.count) && bytes.allSatisfy(ByteClass.digit.contains) }
        return bytes.count > 1 && bytes.allSatisfy(ByteClass.unreserved.contains)
    }

    private static func isEncrypted(_ scheme: Substring) -> Bool? {
        switch scheme.lowercased() {
        case "https": true
        case "http": false
        default: nil
        }
    }
}

/// The elements of a list-valued field (RFC 9110 section 5.6.1), from the last element of the last line. They are trimmed, and empty ones
/// are left out.
private struct ListFromEnd {
    private var lines: [String]
    private var rest = ""[...]
    /// Whether a comma inside a quoted string is part of the element.
    private let hasQuotes: Bool

    init(_ lines: [String], hasQuotes: Bool) {
        self.lines = lines
        self.hasQuotes = hasQuotes
    }

    mutating func next() -> Substring? {
        while true {
            if rest.isEmpty {
                guard let line = lines.popLast() else { return nil }
                rest = line[...]
            }
            let element = String(takeLast()).trimmingBlanks
            if !element.isEmpty { return element }
        }
    }

    /// The text after the last comma of `rest`. Removes it and the comma from `rest`.
    private mutating func takeLast() -> Substring {
        let bytes = rest.utf8
        var index = bytes.endIndex
        var isQuoted = false
        while index > bytes.startIndex {
            bytes.formIndex(before: &index)
            switch bytes[index] {
            case Ascii.comma where !isQuoted:
                defer { rest = rest[..<index] }
                return rest[bytes.index(after: index)...]
            case Ascii.quote where hasQuotes && !isEscaped(index, in: bytes): isQuoted.toggle()
            default: break
            }
        }
        defer { rest = "" }
        return rest
    }

    private func isEscaped(_ index: String.Index, in bytes: Substring.UTF8View) -> Bool {
        !bytes[..<index].reversed().prefix { $0 == Ascii.backslash }.count.isMultiple(of: 2)
    }
}
