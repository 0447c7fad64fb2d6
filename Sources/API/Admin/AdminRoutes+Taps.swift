import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var tapRoutes: [Route] {
        [route("tapStatistics", .get, "/apps/{app}/taps", .reader, query: ["since"], tapStatistics)]
    }

    private func tapStatistics(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let since = try call.since() ?? call.author.at + .seconds(-30 * 24 * 3600)
        taps.flush()
        return .json(try stores.taps(of: app, since: since).json)
    }
}

extension AdminCall {
    fileprivate func since() throws(Failure) -> Timestamp? {
        guard let text = request.query["since"] else { return nil }
        // Some clients and proxies decode an unescaped plus sign as a space.
        guard let time = Timestamp(text.replacing(" ", with: "+")) else {
            throw Failure(.invalidParameter, "since: \(Timestamp.rule(for: text))")
        }
        return time
    }
}
