/// What the log and the metrics record of a request that was refused or failed. It is never sent.
///
/// A class, so that it takes one word in the records of all other requests.
package final class Refusal: Sendable {
    /// Who sent the request and what it concerned, as far as that was known when it was refused.
    package struct Subject: Sendable {
        package var app: String?
        /// The name of the request's token; nil if the token is not known.
        package var token: String?
        /// Whether the request has a token, or the cookie of a session.
        package var hasCredentials = false
        /// The peer's numeric address; nil if the log does not need it.
        package var address: String?

        package init(app: String? = nil, address: String? = nil) {
            self.app = app
            self.address = address
        }
    }

    /// The last part of the problem type, such as `forbidden`.
    package let code: String
    /// The problem's `detail`, as sent. It may quote the request.
    package let detail: String
    /// The internal error, for the log only.
    package let cause: String?
    package let violationCount: Int
    package let subject: Subject

    package init(code: String, detail: String, cause: String? = nil, violationCount: Int = 0, about subject: Subject = Subject()) {
        self.code = code
        self.detail = detail
        self.cause = cause
        self.violationCount = violationCount
        self.subject = subject
    }
}
