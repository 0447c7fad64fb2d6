/// The facts about a rejected or failed request for the log and the metrics. They are never sent.
///
/// A class, so that it takes only one word in the records of other requests.
package final class Refusal: Sendable {
    /// The sender and the subject of the request, as far as they are known.
    package struct Subject: Sendable {
        package var app: String?
        /// The name of the request's token; nil if the token is unknown.
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
