import QuickActions
import Shortcuts

/// The header fields that an owner may add to an endpoint's deliveries.
package enum EndpointHeaders {
    static let maxCount = 20

    /// All violations in the fields, with paths below `headers`.
    package static func violations(in headers: [Endpoint.Header]) -> [Violation] {
        let path = DocumentPath.root[Text("headers")]
        var violations = headers.flatMap { header in
            [nameViolation(header.name), valueViolation(header)].compactMap(\.self).map { code, message in
                Violation(path: path[Text(header.name)].description, code: code, message: message)
            }
        }
        if headers.count > maxCount {
            violations.append(
                Violation(
                    path: path.description, code: "too-many-headers",
                    message: "There are \(headers.count) header fields. Use at most \(maxCount)."))
        }
        return violations
    }

    /// Fields that the service writes itself, or that would change how the message is framed or routed.
    static func isReserved(_ name: String) -> Bool {
        let lower = name.lowercased()
        return ["host", "connection", "transfer-encoding"].contains(lower) || lower.hasPrefix("webhook-")
            || lower.hasPrefix("content-")
    }

    static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    /// Visible ASCII, spaces and tabs.
    static func isPlain(_ value: String) -> Bool {
        value.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
    }

    private static func nameViolation(_ name: String) -> (code: String, message: String)? {
        guard isToken(name) else {
            return ("header-name-invalid", "\(quoted(name)) is not the name of a header field. Use letters, digits and -.")
        }
        guard !isReserved(name) else {
            return ("header-reserved", "The service itself sets the header field \(quoted(name)). Use another name.")
        }
        return nil
    }

    /// The value may be a credential, so the message does not repeat it.
    private static func valueViolation(_ header: Endpoint.Header) -> (code: String, message: String)? {
        guard !isPlain(header.value) else { return nil }
        return (
            "header-value-invalid",
            "The value of the header field \(quoted(header.name)) has characters other than visible ASCII, spaces and tabs. Remove them."
        )
    }
}

extension EndpointRules {
    /// The rules that the dispatcher applies at each attempt.
    package init(addressGuard: AddressGuard, httpsOnly: Bool = false, random: @escaping RandomSource = systemRandom) {
        self.init(
            readURL: { text throws(EndpointURL.ParseError) in
                let url = try EndpointURL(text, httpsOnly: httpsOnly)
                _ = try url.destination(by: addressGuard, httpsOnly: httpsOnly)
                return url
            },
            checkHeaders: { EndpointHeaders.violations(in: $0) },
            makeSecret: { SigningSecret.generated(with: random) })
    }
}
