import HTTP
import QuickActions
import Shortcuts

/// The problem details (RFC 9457) of a failed request.
struct Problem {
    let failure: Failure
    /// The request's id, for `instance`.
    let request: String
    /// For the log only.
    var subject = Refusal.Subject()

    func response() -> Response {
        let refusal = Refusal(
            code: failure.code.rawValue, detail: failure.detail, cause: failure.cause, violationCount: failure.violations.count,
            about: subject)
        var response = Response.problem(
            failure.code.status, title: failure.code.title, refusal: refusal, violations: failure.violations.map(\.json),
            instance: request, retryAfter: failure.retryAfter ?? failure.code.retryAfter)
        if failure.code == .unauthenticated { response.fields.append("WWW-Authenticate", "Bearer") }
        return response
    }
}

/// Runs a handler and answers the failure that it throws with its problem.
/// - Parameter subject: what the log records of the request; the handler adds to it.
func answering(
    _ request: Request, about subject: Refusal.Subject, _ handle: (inout Refusal.Subject) throws(Failure) -> Response
) -> Response {
    var subject = subject
    do throws(Failure) {
        return try handle(&subject)
    } catch {
        return Problem(failure: error, request: request.id, subject: subject).response()
    }
}

extension Failure.Code {
    /// The only mapping of codes to statuses.
    var status: Status {
        switch self {
        case .malformedJSON, .invalidVersion, .invalidParameter, .badRequest: .badRequest
        case .unauthenticated: .unauthorized
        case .forbidden, .crossSite: .forbidden
        case .unknownApp, .noShortcutSet, .unknownResource: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notAcceptable: .notAcceptable
        case .unsupportedMediaType: .unsupportedMediaType
        case .idReused, .conflict, .approvalMissing: .conflict
        case .preconditionFailed: .preconditionFailed
        case .preconditionRequired: .preconditionRequired
        case .contentTooLarge: .contentTooLarge
        case .invalidDocument: .unprocessableContent
        case .tooManyRequests: .tooManyRequests
        case .overloaded, .storageUnavailable: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }

    /// The value of `Retry-After` in seconds; nil if the same request would fail again.
    var retryAfter: Int? {
        switch self {
        case .tooManyRequests, .overloaded, .storageUnavailable: 1
        case .malformedJSON, .invalidVersion, .invalidParameter, .badRequest, .unauthenticated, .forbidden, .crossSite, .unknownApp,
            .noShortcutSet, .unknownResource, .methodNotAllowed, .notAcceptable, .unsupportedMediaType, .idReused, .conflict,
            .approvalMissing, .preconditionFailed, .preconditionRequired, .contentTooLarge, .invalidDocument, .internalError:
            nil
        }
    }

    var title: String {
        switch self {
        case .malformedJSON: "The body is not JSON"
        case .invalidVersion: "Not a version"
        case .invalidParameter: "A parameter is wrong"
        case .badRequest: "The request cannot be read"
        case .unauthenticated: "A token is needed"
        case .forbidden: "The token may not do this"
        case .crossSite: "The request comes from another site"
        case .unknownApp: "No such app"
        case .noShortcutSet: "No shortcut set for this version"
        case .unknownResource: "No such resource"
        case .methodNotAllowed: "The method does not apply here"
        case .notAcceptable: "No such representation"
        case .unsupportedMediaType: "The body's media type is not understood"
        case .idReused: "An id would come back with another meaning"
        case .conflict: "The request conflicts with what is stored"
        case .approvalMissing: "Approvals are missing"
        case .preconditionFailed: "The precondition does not hold"
        case .preconditionRequired: "A precondition is needed"
        case .contentTooLarge: "The body is too large"
        case .invalidDocument: "The document breaks the rules"
        case .tooManyRequests: "Too many requests"
        case .overloaded: "The server is overloaded"
        case .storageUnavailable: "The store cannot be used"
        case .internalError: "Something went wrong inside"
        }
    }
}
