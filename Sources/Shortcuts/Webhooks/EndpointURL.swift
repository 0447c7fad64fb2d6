import QuickActions

/// Where an endpoint listens, as its owner wrote it, and what that means. It is read once: where it is registered, and with its row.
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

    /// - Parameter httpsOnly: whether http is refused.
    package init(_ text: String, httpsOnly: Bool = false) throws(Refusal) {
        description = text
        destination = .success(try EndpointDestination(text, httpsOnly: httpsOnly))
    }

    /// One that was checked when it was stored. Where it does not keep a rule that came later, attempts are refused by that rule.
    package init(stored text: String) {
        description = text
        destination = Result { () throws(Refusal) in try EndpointDestination(text) }
    }

    /// Where a request goes by the rules of the moment. A name is judged at each attempt, by the addresses it then has.
    package func destination(by addressGuard: AddressGuard, httpsOnly: Bool) throws(Refusal) -> EndpointDestination {
        let destination = try self.destination.get()
        guard destination.scheme == .https || !httpsOnly else { throw .unencrypted(description) }
        guard case .address(let address) = destination.host, !addressGuard.allows(address) else { return destination }
        throw Refusal(
            .blockedAddress,
            "\(address) is an address that webhooks are not sent to: use a public one, or have the operator exempt it with --webhook-allow."
        )
    }
}

extension EndpointURL.Refusal {
    init(_ code: Code, _ message: String) {
        self.init(code: code, message: message)
    }

    static func unencrypted(_ text: String) -> EndpointURL.Refusal {
        EndpointURL.Refusal(.scheme, "\(quoted(text)) is not encrypted: this service sends webhooks to https URLs only.")
    }
}
