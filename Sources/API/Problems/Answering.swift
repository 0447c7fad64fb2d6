import HTTP
import Shortcuts

/// Told of every failure and its request's id: what went wrong inside is for the log, and never sent.
package typealias FailureReport = @Sendable (_ failure: Failure, _ request: String) -> Void

/// The one door for failures: what a handler throws becomes a problem.
func answering(_ request: Request, _ report: FailureReport, _ handle: () throws(Failure) -> Response) -> Response {
    do throws(Failure) {
        return try handle()
    } catch {
        report(error, request.id)
        return Problem(failure: error, request: request.id).response()
    }
}
