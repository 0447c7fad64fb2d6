import HTTP
import QuickActions
import Shortcuts

/// The live stream of the client plane. Anybody may read it.
package struct StreamRoutes: Sendable {
    private static let path = "/v1/stream"
    package static let name = "streamChanges"

    private let opener: StreamOpener

    package init(_ opener: StreamOpener) {
        self.opener = opener
    }

    package var routes: [Route] {
        [
            Route(.get, Self.path, name: Self.name, runs: .onOpener) { request, _ in
                answering(request, about: Refusal.Subject()) { subject throws(Failure) in try open(request, &subject) }
            }
        ]
    }

    private func open(_ request: Request, _ subject: inout Refusal.Subject) throws(Failure) -> Response {
        let apps = try opener.apps(in: request.query)
        guard !apps.isEmpty else {
            throw Failure(.invalidParameter, "app is missing. Add at least one app, for example /v1/stream?app=com.example.mail.")
        }
        if apps.count == 1 { subject.app = AppID(apps[0])?.description }
        return try opener.open(apps, for: request)
    }
}
