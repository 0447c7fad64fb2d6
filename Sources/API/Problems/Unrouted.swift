import HTTP
import Shortcuts

/// The answer where no route is.
package func unrouted(_ match: Router.Match, _ request: Request) -> Response {
    switch match {
    case .options(let allow):
        var response = Response.noContent
        response.fields.append("Allow", allow)
        return response
    case .methodNotAllowed(let allow):
        let failure = Failure(.methodNotAllowed, "\(request.method) does not apply here. Use one of: \(allow).")
        var response = Problem(failure: failure, request: request.id).response()
        response.fields.append("Allow", allow)
        return response
    case .notImplemented:
        return RequestFailure(.notImplemented, "not-implemented", "The method is not known here.").response(id: request.id)
    case .notFound, .route:
        let failure = Failure(.unknownResource, "There is nothing at \(quoted(request.target)). GET /openapi.yaml lists what there is.")
        return Problem(failure: failure, request: request.id).response()
    }
}
