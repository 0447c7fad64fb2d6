import Shortcuts

extension EndpointRules {
    /// The rules the deliveries keep to themselves: what passes here is also sent to.
    package init(addressGuard: AddressGuard, httpsOnly: Bool = false, random: @escaping RandomSource = systemRandom) {
        self.init(
            checkURL: { text in
                do throws(EndpointURL.Refusal) {
                    try EndpointURL(text, httpsOnly: httpsOnly).check(by: addressGuard)
                    return []
                } catch {
                    return [Violation(path: "url", code: error.code.rawValue, message: error.message)]
                }
            },
            checkHeaders: { EndpointHeaders.violations(in: $0) },
            makeSecret: { SigningSecret.generated(with: random) })
    }
}
