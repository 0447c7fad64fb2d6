/// What the log and the metrics say of a request that was refused or failed; never sent.
///
/// An object, so that the record of an answer from memory is hardly larger for it.
package final class Refusal: Sendable {
    /// Whom and what the request was about, as far as it was found out before it was refused.
    package struct Subject: Sendable {
        package var app: String?
        /// The name of the token that was presented, once it is known.
        package var token: String?
        /// Whether there was something in the place of a token.
        package var hasCredentials = false
        /// The numeric address of the other end, where it is to be told.
        package var address: String?

        package init(app: String? = nil, address: String? = nil) {
            self.app = app
            self.address = address
        }
    }

    /// The last part of the problem type, such as `forbidden`.
    package let code: String
    /// The sentence that was sent. It may quote the request.
    package let detail: String
    /// What went wrong inside.
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
