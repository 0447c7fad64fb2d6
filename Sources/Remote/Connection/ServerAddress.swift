import Foundation
import QuickActions

/// The base of a service's URLs, as `--server` names it: `https://menus.example.com`, with a path if a proxy serves it below one.
package struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// Without a trailing slash; scheme and host in lower case, the scheme's default port left out.
    package let description: String

    package init(_ text: String) throws(RemoteFailure) {
        let parts = URIParts(text)
        guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
            !text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }), URL(string: text)?.host != nil
        else {
            throw RemoteFailure("\(quoted(text)) is not the address of a service. Use its URL, for example https://menus.example.com.")
        }
        guard parts.userInfo == nil else {
            throw RemoteFailure(
                "The address of the service contains a user name or password. Remove it, and pass the token with LONGPRESS_TOKEN or "
                    + "--token-file.")
        }
        guard parts.fragment == nil, parts.target.utf8.count == parts.path.utf8.count else {
            throw RemoteFailure("\(quoted(text)) has a query or a fragment. Remove it, for example https://\(host).")
        }
        var path = parts.path
        while path.hasSuffix("/") { path = path.dropLast() }
        if path.hasSuffix("/admin/v1") || path.hasSuffix("/v1") {
            throw RemoteFailure("\(quoted(text)) is the address of one plane of the service. Use only the part before the plane's path.")
        }
        let isUsualPort = parts.port == nil || parts.port == "" || parts.port == (scheme == "https" ? "443" : "80")
        description = "\(scheme)://\(host.lowercased())\(isUsualPort ? "" : ":\(parts.port ?? "")")\(path)"
    }

    /// - Parameters:
    ///   - path: begins with a slash; each segment is encoded.
    ///   - query: not encoded yet.
    func url(_ path: String, _ query: [(String, String)]) throws(RemoteFailure) -> URL {
        let pairs = query.map { "\($0.percentEncoded)=\($1.percentEncoded)" }
        let text = description + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
        guard let url = URL(string: text) else { throw RemoteFailure("\(quoted(text)) is not a URL.") }
        return url
    }
}
