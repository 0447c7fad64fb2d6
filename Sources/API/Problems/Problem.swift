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
        let type = failure.code.type
        let refusal = Refusal(
            code: type.code, detail: failure.detail, cause: failure.cause, violationCount: failure.violations.count,
            about: subject)
        var response = Response.problem(
            type, refusal: refusal, violations: failure.violations.map(\.json),
            instance: request, retryAfter: failure.retryAfter ?? failure.code.retryAfter)
        if failure.code == .unauthenticated { response.fields.append("WWW-Authenticate", "Bearer") }
        return response
    }
}

/// Runs a handler, and answers a thrown failure with its problem.
/// - Parameter subject: what the log records about the request. The handler adds to it.
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

/// Checks the head of a request, and answers a thrown failure with its problem.
/// - Parameter check: returns the function that answers the request with its body.
func admitting(
    _ request: Request, about subject: Refusal.Subject,
    _ check: (inout Refusal.Subject) throws(Failure) -> @Sendable (Request) -> Response
) -> Admission {
    var subject = subject
    do throws(Failure) {
        return .admitted(try check(&subject))
    } catch {
        return .refused(Problem(failure: error, request: request.id, subject: subject).response())
    }
}

extension Failure.Code {
    /// The value of `Retry-After` in seconds; nil if the same request would fail again.
    var retryAfter: Int? {
        switch self {
        case .tooManyRequests, .overloaded, .storageUnavailable: 1
        case .malformedJSON, .invalidVersion, .invalidParameter, .badRequest, .unauthenticated, .forbidden, .crossSite, .unknownApp,
            .noShortcutSet, .unknownPreview, .unknownResource, .methodNotAllowed, .notAcceptable, .unsupportedMediaType, .idReused,
            .conflict, .candidateRunning,
            .approvalMissing, .preconditionFailed, .preconditionRequired, .contentTooLarge, .invalidDocument, .quotaExceeded,
            .internalError:
            nil
        }
    }
}

/// The answer to a request without a route.
package func unrouted(_ reason: RoutingFailure, _ request: Request) -> Response {
    switch reason {
    case .methodNotAllowed(let allow):
        // HEAD must have the Content-Length of GET (RFC 9110 section 8.6), so both need the same text.
        let method = request.method == .head ? .get : request.method
        let failure = Failure(
            .methodNotAllowed, "\(method) is not allowed here. Use one of: \(allow.map(\.rawValue).joined(separator: ", ")).")
        return Problem(failure: failure, request: request.id).response()
    case .notImplemented:
        let failure = RequestFailure.notImplemented("The method \(quoted(request.method.rawValue)) is unknown.")
        var response = Response.refusing(failure, instance: request.id)
        // The request was read completely, so the connection can be reused.
        response.closesConnection = false
        return response
    case .notFound:
        let failure = Failure(.unknownResource, "There is nothing at \(quoted(request.target)). openapi.yaml lists all paths.")
        return Problem(failure: failure, request: request.id).response()
    }
}
