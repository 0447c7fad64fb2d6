import HTTP
import Shortcuts

extension Request {
    /// Requires that a page of this service has sent the request, as the browser says it: `Sec-Fetch-Site` (Fetch Metadata, section 2.3),
    /// or `Origin` from a browser without it and where the connection is not trustworthy. A program that sends neither uses a bearer token.
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
                "The request does not come from a page of this service: the field Sec-Fetch-Site: same-origin, or an Origin that is its own, "
                    + "is missing. Programs use the field Authorization: Bearer lp_… instead of a session.")
        }
    }

    /// Nil where `Host` is missing, malformed or repeated.
    var requestedHost: RequestedHost? { fields.combined("Host").flatMap { RequestedHost($0) } }
}

extension Method {
    /// RFC 9110 section 9.2.1.
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}
