import HTTP
import QuickActions
import Shortcuts

extension Request {
    /// The JSON body.
    func json() throws(Failure) -> JSON {
        try requireBody(.malformedJSON)
        return try JSON(document: body)
    }

    /// Refuses an empty body, which `curl -d @FILE` sends if the file does not exist.
    func requireBody(_ code: Failure.Code) throws(Failure) {
        guard body.isEmpty else { return }
        throw Failure(code, "The body is empty: does the file that curl was given exist?")
    }
}
