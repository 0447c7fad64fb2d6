import HTTP
import Shortcuts

extension Request {
    /// Requires that the request comes from a page of this service. The browser says so in `Sec-Fetch-Site` (Fetch Metadata, section 2.3).
    /// Browsers without that field, and connections that are not trustworthy, send `Origin`. A program that sends neither must use a bearer
    /// token.
    /// - Throws: `crossSite`.
    func requireSameOrigin() throws(Failure) {
        let isOurs =
            if let site = fields.combined("Sec-Fetch-Site") {
                site == "same-origin"
            } else {
                fields.combined("Origin").map { requestedHost?.isHost(ofOrigin: $0) ?? false } ?? false
            }
        guard isOurs else {
            throw Failure(
                .crossSite,
                "The request does not come from a page of this service: it has neither the field Sec-Fetch-Site: same-origin nor the "
                    + "service's own Origin. Programs must send the field Authorization: Bearer lp_… instead of a session.")
        }
    }

    /// Nil if `Host` is missing, malformed or repeated.
    var requestedHost: RequestedHost? { fields.combined("Host").flatMap { RequestedHost($0) } }
}

extension Method {
    /// RFC 9110 section 9.2.1.
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}
