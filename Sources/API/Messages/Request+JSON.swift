import HTTP
import QuickActions
import Shortcuts

extension Request {
    /// The JSON body.
    func json() throws(Failure) -> JSON {
        try requireBody(.malformedJSON)
        return try JSON(document: body)
    }

    /// `curl -d @FILE` sends an empty body where there is no such file.
    func requireBody(_ code: Failure.Code) throws(Failure) {
        guard body.isEmpty else { return }
        throw Failure(code, "The body is empty: does the file that curl was given exist?")
    }
}
