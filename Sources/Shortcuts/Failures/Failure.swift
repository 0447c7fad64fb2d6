import QuickActions

/// Why a request failed. The code alone determines the HTTP status.
package struct Failure: Error, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        case malformedJSON = "malformed-json"
        case invalidVersion = "invalid-version"
        case invalidParameter = "invalid-parameter"
        case badRequest = "bad-request"
        case unauthenticated
        case forbidden
        case crossSite = "cross-site"
        case unknownApp = "unknown-app"
        case noShortcutSet = "no-shortcut-set"
        case unknownResource = "unknown-resource"
        case methodNotAllowed = "method-not-allowed"
        case notAcceptable = "not-acceptable"
        case unsupportedMediaType = "unsupported-media-type"
        case idReused = "id-reused"
        case conflict
        case approvalMissing = "approval-missing"
        case preconditionFailed = "precondition-failed"
        case preconditionRequired = "precondition-required"
        case contentTooLarge = "content-too-large"
        case invalidDocument = "invalid-document"
        case quotaExceeded = "quota-exceeded"
        case tooManyRequests = "too-many-requests"
        case overloaded
        case storageUnavailable = "storage-unavailable"
        case internalError = "internal-error"
    }

    package let code: Code
    /// A sentence with the remedy, safe to send to the client.
    package let detail: String
    package let violations: [Violation]
    /// The internal cause, for the log only.
    package let cause: String?
    /// After how many seconds the same request may succeed; nil if unknown.
    package let retryAfter: Int?

    package init(_ code: Code, _ detail: String, violations: [Violation] = [], cause: String? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.detail = detail
        self.violations = violations
        self.cause = cause
        self.retryAfter = retryAfter
    }
}

extension Failure {
    package static func invalidDocument(_ violations: [Violation]) -> Failure {
        let count = violations.count == 1 ? "1 violation" : "\(violations.count) violations"
        return Failure(
            .invalidDocument, "The document has \(count). Correct the document and send it again.",
            violations: violations)
    }

    package static func invalidVersion(_ text: String) -> Failure {
        Failure(.invalidVersion, AppVersion.rule(for: text))
    }
}
