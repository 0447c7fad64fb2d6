import HTTP
import Shortcuts

/// The one door for failures: what a handler throws becomes a problem, and what is known of its subject by then goes with it.
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
