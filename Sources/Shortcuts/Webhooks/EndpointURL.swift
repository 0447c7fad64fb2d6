import QuickActions

/// The URL of an endpoint: the text that the owner wrote, and its parsed destination. It is parsed once, at registration or when its row is
/// read.
package struct EndpointURL: Hashable, Sendable, TextRepresentable {
    package struct Refusal: Error, Hashable, Sendable {
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
    private let destination: Result<EndpointDestination, Refusal>

    /// - Parameter httpsOnly: whether http is rejected.
    package init(_ text: String, httpsOnly: Bool = false) throws(Refusal) {
        description = text
        destination = .success(try EndpointDestination(text, httpsOnly: httpsOnly))
    }

    /// A stored URL. If it breaks a rule that was added later, `destination(by:httpsOnly:)` throws and attempts fail.
    package init(stored text: String) {
        description = text
        destination = Result { () throws(Refusal) in try EndpointDestination(text) }
    }

    /// Scheme, host and port; nil for a stored URL that is no longer valid.
    package var origin: String? {
        guard case .success(let destination) = destination else { return nil }
        return String(destination.text.dropLast(destination.target.count))
    }

    /// The destination of an attempt, checked against the current configuration. The addresses of a host name are checked when it is
    /// resolved.
    package func destination(by addressGuard: AddressGuard, httpsOnly: Bool) throws(Refusal) -> EndpointDestination {
        let destination = try self.destination.get()
        guard destination.scheme == .https || !httpsOnly else { throw .unencrypted(description) }
        guard case .address(let address) = destination.host, !addressGuard.allows(address) else { return destination }
        throw Refusal(
            .blockedAddress,
            "\(address) is an address that webhooks are not sent to. Use a public address, or ask the operator to allow it with "
                + "--webhook-allow."
        )
    }
}

extension EndpointURL.Refusal {
    init(_ code: Code, _ message: String) {
        self.init(code: code, message: message)
    }

    static func unencrypted(_ text: String) -> EndpointURL.Refusal {
        EndpointURL.Refusal(.scheme, "\(quoted(text)) is not an https URL. This service sends webhooks only to https URLs.")
    }
}
