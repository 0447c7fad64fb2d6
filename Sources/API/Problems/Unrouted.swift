import HTTP
import QuickActions
import Shortcuts

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
