import HTTP
import Shortcuts

extension ProblemType {
    /// By code: what the service can answer, each once.
    static let all: [String: ProblemType] = Dictionary(
        (Failure.Code.allCases.map(\.type) + ofServer).map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}

extension Failure.Code {
    /// The only mapping of codes to statuses and texts.
    package var type: ProblemType {
        switch self {
        case .malformedJSON:
            type(
                .badRequest, "The body is not JSON", "The body cannot be read as one JSON document.",
                "Correct the place that detail names by line and column. JSON has no comments and no trailing commas.")
        case .invalidVersion:
            type(
                .badRequest, "Not a version", "A version or build in the path or the query cannot be read.",
                "Write one to three integers separated by periods, for example 2.10.0.")
        case .invalidParameter:
            type(
                .badRequest, "A parameter is wrong",
                "A parameter of the query is unknown, is given twice or has a value that cannot be read.",
                "Correct the parameter that detail names.")
        case .badRequest: .badRequest
        case .unauthenticated:
            type(
                .unauthorized, "A token is needed", "The request has no token, or one that is unknown, expired or revoked.",
                "Send the field Authorization: Bearer with a token. An owner makes one, or `longpress token create` does.")
        case .forbidden:
            type(
                .forbidden, "The token may not do this", "The token is valid, but its role or its apps do not include this operation.",
                "Use a token with the role and the app that detail names.")
        case .crossSite:
            type(
                .forbidden, "The request comes from another site", "A browser sent the session's cookie from a page of another site.",
                "Use the console at the service's own address, or send a token instead of the cookie.")
        case .unknownApp:
            type(
                .notFound, "No such app", "No app has the bundle identifier of the request.",
                "Check the spelling of the bundle identifier. An owner creates apps.")
        case .noShortcutSet:
            type(
                .notFound, "No shortcut set for this version", "Every published set of the app starts at a later version.",
                "A client keeps the items that it has registered. An editor publishes a set that starts at this version or below.")
        case .unknownResource:
            type(
                .notFound, "No such resource", "The path is not of this service, or what it names does not exist.",
                "Check the spelling; detail says where to look.")
        case .methodNotAllowed:
            type(
                .methodNotAllowed, "The method does not apply here", "The path exists, but not with the request's method.",
                "Use one of the methods in the field Allow.")
        case .notAcceptable:
            type(
                .notAcceptable, "No such representation", "The resource does not exist in a media type that the field Accept allows.",
                "Ask for one of the media types that detail lists.")
        case .unsupportedMediaType:
            type(
                .unsupportedMediaType, "The body's media type is not understood",
                "The field Content-Type or Content-Encoding does not fit.",
                "Send the Content-Type that detail names. curl needs -H 'Content-Type: application/json' with -d.")
        case .idReused:
            type(
                .conflict, "An id would come back with another meaning",
                "One set replaces or retires an id that another set has as an item, so that a tap on it would have two meanings.",
                "Give the item that detail names a new id.")
        case .conflict:
            type(
                .conflict, "The request conflicts with what is stored", "The request is valid, but what is stored does not allow it now.",
                "Read what is stored, then decide. detail says what is in the way.")
        case .approvalMissing:
            type(
                .conflict, "Approvals are missing", "The app requires that others approve a draft before it is published.",
                "Ask a publisher who did not edit the draft to approve it. An owner may override with a reason.")
        case .preconditionFailed:
            type(
                .preconditionFailed, "The precondition does not hold",
                "Somebody changed the resource after you read it, or it exists although the request requires that it does not.",
                "Read it again, repeat your change on what is there now, and send If-Match with the new ETag.")
        case .preconditionRequired:
            type(
                .preconditionRequired, "A precondition is needed", "This operation must name the state that you have read.",
                "Send the field If-Match with the ETag that GET answered, quotes included.")
        case .contentTooLarge: .contentTooLarge
        case .invalidDocument:
            type(
                .unprocessableContent, "The document breaks the rules", "The document can be read, but members of it are not valid.",
                "Correct every entry of violations: each has a path and a sentence. Nothing was stored.")
        case .quotaExceeded:
            type(
                .unprocessableContent, "The app holds too much",
                "The app would have more releases, sets or bytes of documents than the service allows.",
                "The detail names the limit. Delete what nobody needs, or ask the operator to raise the limit.")
        case .tooManyRequests: .tooManyRequests
        case .overloaded: .overloaded
        case .storageUnavailable:
            type(
                .serviceUnavailable, "The store cannot be used", "The database cannot be reached or written. Menus are still served.",
                "Wait for the seconds in Retry-After, then read before you write again. The operator finds the cause in the log.")
        case .internalError:
            type(
                .internalServerError, "Something went wrong inside", "The service failed in a way that it does not know.",
                "Send the request again. If it fails again, give the operator the id in instance: the log has the cause.")
        }
    }

    private func type(_ status: Status, _ title: String, _ meaning: String, _ remedy: String) -> ProblemType {
        ProblemType(code: rawValue, status: status, title: title, meaning: meaning, remedy: remedy)
    }
}
