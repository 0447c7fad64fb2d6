import HTTP
import QuickActions
import Shortcuts

/// The cookie of a session (RFC 6265). Its name begins with `__Host-` and it is `Secure`, so that neither a neighbouring host nor a
/// connection without TLS can set it. Without TLS, on a loopback address or as a trusted proxy says, it is named `longpress` and is not
/// `Secure`.
struct SessionCookie {
    private let isSecure: Bool

    init(for request: Request) {
        isSecure = request.sender.isEncrypted ?? !(request.requestedHost?.isLoopback ?? false)
    }

    private var name: String { isSecure ? "__Host-longpress" : "longpress" }

    /// The session's secret; nil if the request has no such cookie. A cookie that occurs twice is ignored: another page has set one of
    /// them.
    func secret(in fields: Fields) -> String? {
        let values = fields.all("Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair -> Substring? in
            let pair = pair.trimmingPrefix { $0 == " " || $0 == "\t" }
            return pair.hasPrefix(name + "=") ? pair.dropFirst(name.count + 1) : nil
        }
        guard values.count == 1, let value = values.first, !value.isEmpty else { return nil }
        return String(value.prefix { $0 != " " && $0 != "\t" })
    }

    /// The value of `Set-Cookie`.
    func setting(_ new: NewSession) -> String {
        let seconds = (new.session.expiresAt.milliseconds - new.session.createdAt.milliseconds) / 1000
        return line(new.secret, maxAge: max(1, seconds))
    }

    /// The value of `Set-Cookie` that deletes the cookie.
    var removing: String { line("", maxAge: 0) }

    private func line(_ value: String, maxAge: Int64) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(maxAge); \(isSecure ? "Secure; " : "")HttpOnly; SameSite=Strict"
    }
}

extension Request {
    /// The secret in the request's session cookie.
    var sessionSecret: String? { SessionCookie(for: self).secret(in: fields) }
}
