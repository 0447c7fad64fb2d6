import HTTP
import Shortcuts

extension ProblemType {
    /// All problem types that the service can answer, by code.
    static let all: [String: ProblemType] = Dictionary(
        (Failure.Code.allCases.map(\.type) + ofServer).map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}

extension Failure.Code {
    /// The only mapping of failure codes to statuses and texts.
    package var type: ProblemType {
        switch self {
        case .malformedJSON:
            type(
                .badRequest, "The body is not JSON", "The body cannot be read as one JSON document.",
                "The detail names the line and column. JSON has no comments and no trailing commas.")
        case .invalidVersion:
            type(
                .badRequest, "Not a version", "A version or build in the path or the query is not valid.",
                "Write one to three integers separated by periods, for example 2.10.0.")
        case .invalidParameter:
            type(
                .badRequest, "A parameter is not valid",
                "A query parameter is unknown, occurs twice or has a value that is not valid.",
                "Correct the parameter that the detail names.")
        case .badRequest: .badRequest
        case .unauthenticated:
            type(
                .unauthorized, "A token is needed", "The request has no token, or its token is unknown, expired or revoked.",
                "Send the field Authorization: Bearer with a token. An owner or `longpress token create` can create one.")
        case .forbidden:
            type(
                .forbidden, "The token may not do this",
                "The token is valid, but its role or its list of apps does not allow this operation.",
                "Use a token with the role and the app that the detail names.")
        case .crossSite:
            type(
                .forbidden, "The request comes from another site", "A browser sent the session's cookie from a page of another site.",
                "Use the console at the service's own address, or send a token instead of the cookie.")
        case .unknownApp:
            type(
                .notFound, "No such app", "No app has the bundle identifier of the request.",
                "Check the spelling of the bundle identifier, or ask an owner to create the app.")
        case .noShortcutSet:
            type(
                .notFound, "No shortcut set for this version", "Every published set of the app starts at a later version.",
                "The client keeps the items that it has registered. To change them, publish a set that starts at this version or below.")
        case .unknownPreview:
            type(
                .notFound, "No such preview", "The preview does not exist or has ended, or the request lacks its token.",
                "Create another preview link, in the console or with `longpress preview create`.")
        case .unknownResource:
            type(
                .notFound, "No such resource", "The service has no such path, or the resource does not exist.",
                "Check the spelling. The detail names a list to look in.")
        case .methodNotAllowed:
            type(
                .methodNotAllowed, "The method is not allowed", "The path exists, but it does not support the request's method.",
                "Use one of the methods in the field Allow.")
        case .notAcceptable:
            type(
                .notAcceptable, "No such representation", "The resource is not available in a media type that the field Accept allows.",
                "The detail lists media types. Send one of them in the field Accept.")
        case .unsupportedMediaType:
            type(
                .unsupportedMediaType, "The body's media type is not supported",
                "This operation does not accept the field Content-Type or Content-Encoding of the request.",
                "Send the Content-Type that the detail names. With curl -d, add -H 'Content-Type: application/json'.")
        case .idReused:
            type(
                .conflict, "An id would get a second meaning",
                "One set replaces or retires an id, and another set has an item with that id. A tap on it would have two meanings.",
                "Give the item in the detail a new id.")
        case .conflict:
            type(
                .conflict, "The request conflicts with stored data", "The request is valid, but the stored data does not allow it now.",
                "The detail names the conflict. Read the resource, then decide.")
        case .candidateRunning:
            type(
                .conflict, "A roll-out is running", "A set that has a candidate cannot be published, changed or deleted.",
                "Promote or stop the candidate first, or send the request with ?stop=true.")
        case .approvalMissing:
            type(
                .conflict, "Approvals are missing", "The app requires that other people approve a draft before it is published.",
                "Ask a publisher who did not edit the draft to approve it. An owner may override with a reason.")
        case .preconditionFailed:
            type(
                .preconditionFailed, "The precondition does not hold",
                "Somebody changed the resource after you read it, or the request may only create a resource and the resource exists.",
                "Read it again, repeat your change, and send If-Match with the new ETag.")
        case .preconditionRequired:
            type(
                .preconditionRequired, "A precondition is needed", "This operation requires the ETag of the resource that you read.",
                "Send the field If-Match with the ETag from GET, quotes included.")
        case .contentTooLarge: .contentTooLarge
        case .invalidDocument:
            type(
                .unprocessableContent, "The document breaks the rules",
                "The document is well-formed, but some of its members are not valid.",
                "Correct every entry of violations: each has a path and a message. Nothing was stored.")
        case .quotaExceeded:
            type(
                .unprocessableContent, "The app would exceed a limit",
                "The app would have more releases, sets, previews or bytes of documents than the service allows.",
                "The detail names the limit. Delete documents that nobody needs, or ask the operator to raise the limit.")
        case .tooManyRequests: .tooManyRequests
        case .overloaded: .overloaded
        case .storageUnavailable:
            type(
                .serviceUnavailable, "The database cannot be used", "The database cannot be reached or written. Menus are still served.",
                "Wait for the seconds in Retry-After, then read before you write again. The log has the cause.")
        case .internalError:
            type(
                .internalServerError, "The service failed", "An unexpected error occurred in the service.",
                "Send the request again. If it fails again, give the operator the id in instance. The log has the cause.")
        }
    }

    private func type(_ status: Status, _ title: String, _ meaning: String, _ remedy: String) -> ProblemType {
        ProblemType(code: rawValue, status: status, title: title, meaning: meaning, remedy: remedy)
    }
}
