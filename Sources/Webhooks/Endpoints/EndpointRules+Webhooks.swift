import Shortcuts

extension EndpointRules {
    /// The rules that the dispatcher applies at each attempt.
    package init(addressGuard: AddressGuard, httpsOnly: Bool = false, random: @escaping RandomSource = systemRandom) {
        self.init(
            readURL: { text throws(EndpointURL.Refusal) in
                let url = try EndpointURL(text, httpsOnly: httpsOnly)
                _ = try url.destination(by: addressGuard, httpsOnly: httpsOnly)
                return url
            },
            checkHeaders: { EndpointHeaders.violations(in: $0) },
            makeSecret: { SigningSecret.generated(with: random) })
    }
}
