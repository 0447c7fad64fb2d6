import QuickActions

/// The URL of an endpoint: the text that the owner wrote, and its parsed destination. It is parsed once, at registration or when its row is
/// read.
package struct EndpointURL: Hashable, Sendable, TextRepresentable {
    package struct ParseError: Error, Hashable, Sendable {
        package enum Code: String, Sendable {
            case invalid = "url-invalid"
            case scheme = "url-scheme"
            case tooLong = "url-too-long"
            case blockedAddress = "address-blocked"
        }

        package let code: Code
        package let message: String
    }

    package let description: String
    private let destination: Result<EndpointDestination, ParseError>

    /// - Parameter httpsOnly: whether http is rejected.
    package init(_ text: String, httpsOnly: Bool = false) throws(ParseError) {
        description = text
        destination = .success(try EndpointDestination(text, httpsOnly: httpsOnly))
    }

    /// A stored URL. If it breaks a rule that was added later, `destination(by:httpsOnly:)` throws and attempts fail.
    package init(stored text: String) {
        description = text
        destination = Result { () throws(ParseError) in try EndpointDestination(text) }
    }

    /// Scheme, host and port; nil for a stored URL that is no longer valid.
    package var origin: String? {
        guard case .success(let destination) = destination else { return nil }
        return String(destination.text.dropLast(destination.target.count))
    }

    /// The destination of an attempt, checked against the current configuration. The addresses of a host name are checked when it is
    /// resolved.
    package func destination(by addressGuard: AddressGuard, httpsOnly: Bool) throws(ParseError) -> EndpointDestination {
        let destination = try self.destination.get()
        guard destination.scheme == .https || !httpsOnly else { throw .unencrypted(description) }
        guard case .address(let address) = destination.host, !addressGuard.allows(address) else { return destination }
        throw ParseError(
            .blockedAddress,
            "\(address) is an address that webhooks are not sent to. Use a public address, or ask the operator to allow it with "
                + "--webhook-allow."
        )
    }
}

extension EndpointURL.ParseError {
    init(_ code: Code, _ message: String) {
        self.init(code: code, message: message)
    }

    static func unencrypted(_ text: String) -> EndpointURL.ParseError {
        EndpointURL.ParseError(.scheme, "\(quoted(text)) is not an https URL. This service sends webhooks only to https URLs.")
    }
}

/// Parses the host of an endpoint's URL. A host that some parsers read as an IPv4 address (URL Standard, "ends in a number") counts as an
/// address here too. It is rejected unless it is plain dotted decimal.
enum EndpointHost {
    static func read(_ text: String) throws(EndpointURL.ParseError) -> EndpointDestination.Host {
        if text.hasPrefix("[") { return .address(try ipv6(text)) }
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard !name.isEmpty else {
            throw EndpointURL.ParseError(.invalid, "The URL has no host. Use a URL such as https://example.com/hooks.")
        }
        guard let last = labels.last, !isNumber(last) else {
            return .address(try ipv4(text, name, labels))
        }
        guard name.utf8.count <= 253, labels.allSatisfy(isLabel) else {
            throw EndpointURL.ParseError(.invalid, "\(quoted(text)) is not a host name.")
        }
        return .name(name.lowercased())
    }

    private static func ipv6(_ text: String) throws(EndpointURL.ParseError) -> IPAddress {
        let inner = String(text.dropFirst().dropLast())
        guard text.hasSuffix("]"), inner.contains(":"), let address = IPAddress(inner) else {
            throw EndpointURL.ParseError(.invalid, "\(quoted(text)) is not an IPv6 address. Use a form such as [2606:4700::1111].")
        }
        return address
    }

    private static func ipv4(_ text: String, _ name: String, _ labels: [Substring]) throws(EndpointURL.ParseError) -> IPAddress {
        if text == name, labels.count == 4, let address = IPAddress(name) { return address }
        guard let meant = inetAton(labels) else {
            throw EndpointURL.ParseError(.invalid, "\(quoted(text)) is neither a host name nor an address.")
        }
        // `010.0.0.1` is 8.0.0.1 to parsers that read octal and 10.0.0.1 to others: both must be allowed.
        let isBlocked = !AddressGuard().allows(meant) || decimalAddress(labels).map { !AddressGuard().allows($0) } ?? false
        throw EndpointURL.ParseError(
            isBlocked ? .blockedAddress : .invalid,
            "\(quoted(text)) is a nonstandard spelling of \(meant)"
                + (isBlocked ? ", an address that webhooks are not sent to. Use a public address." : ". Use that spelling."))
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    private static func isNumber(_ label: Substring) -> Bool {
        let lower = label.lowercased()
        guard !lower.isEmpty else { return false }
        return lower.utf8.allSatisfy(\.isASCIIDigit) || (lower.hasPrefix("0x") && lower.utf8.dropFirst(2).allSatisfy(\.isASCIIHexDigit))
    }

    /// The address by `inet_aton(3)`: one to four parts, octal after 0, hexadecimal after 0x. The last part fills the remaining bytes.
    private static func inetAton(_ labels: [Substring]) -> IPAddress? {
        let parts = labels.compactMap(number)
        guard parts.count == labels.count, (1...4).contains(parts.count), let last = parts.last,
            parts.dropLast().allSatisfy({ $0 <= 255 }), last < UInt64(1) << UInt64(8 * (5 - parts.count))
        else { return nil }
        let leading = parts.dropLast().enumerated().reduce(UInt64(0)) { $0 | $1.element << UInt64(8 * (3 - $1.offset)) }
        let value = leading | last
        return IPAddress(bytes: (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (3 - $0))) })
    }

    /// The address as read by parsers that ignore leading zeros.
    private static func decimalAddress(_ labels: [Substring]) -> IPAddress? {
        let parts = labels.compactMap { UInt8($0) }
        return parts.count == 4 && labels.count == 4 ? IPAddress(bytes: parts) : nil
    }

    private static func number(_ text: Substring) -> UInt64? {
        let lower = text.lowercased()
        if lower.hasPrefix("0x") { return lower.utf8.count == 2 ? 0 : UInt64(lower.dropFirst(2), radix: 16) }
        if lower.hasPrefix("0"), lower.utf8.count > 1 { return UInt64(lower, radix: 8) ?? UInt64(lower) }
        return UInt64(lower)
    }
}
