import HTTP
import QuickActions
import Shortcuts

/// `GET /problems/{code}`: what a problem's `type` refers to (RFC 9457 section 3.1.1).
struct ProblemRoutes {
    static let routes = [
        Route(.get, "/problems/{code}", name: "getProblemType", runs: .onLoop) { request, parameters in
            answering(request, about: Refusal.Subject()) { _ throws(Failure) in try explain(parameters["code"], to: request) }
        }
    ]

    private static func explain(_ code: String, to request: Request) throws(Failure) -> Response {
        guard let type = ProblemType.all[code] else {
            let nearest = nearestName(to: code, among: ProblemType.all.keys.sorted()).map { " Did you mean \"\($0)\"?" }
            throw Failure(.unknownResource, "\(quoted(code)) is not a problem code.\(nearest ?? "")")
        }
        return request.prefersHTML
            ? .document(
                type.page, type: "text/html; charset=utf-8", fields: ["Vary": "Accept", "Content-Security-Policy": "default-src 'none'"])
            : .json(type.json, fields: ["Vary": "Accept"])
    }
}

extension ProblemType {
    fileprivate var json: JSON {
        [
            "type": .string(reference), "title": .string(title), "status": .integer(Int64(status.code)), "meaning": .string(meaning),
            "remedy": .string(remedy),
        ]
    }

    /// The texts are constants of this program and contain no markup.
    fileprivate var page: [UInt8] {
        Array(
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <h1>\(title)</h1>
            <p><code>\(code)</code>, status \(status.code)</p>
            <p>\(meaning)</p>
            <p>\(remedy)</p>
            </html>

            """.utf8)
    }
}

extension Request {
    /// Whether `Accept` prefers HTML to JSON, as browsers do.
    var prefersHTML: Bool { Accept(fields).best(of: ["application/json", "text/html"]) == "text/html" }
}
