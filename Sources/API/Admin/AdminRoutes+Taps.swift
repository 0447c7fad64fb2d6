import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var tapRoutes: [Route] {
        [route("tapStatistics", .get, "/apps/{app}/taps", .reader, query: ["since", "until", "bucket", "by"], tapStatistics)]
    }

    private func tapStatistics(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let (since, until) = (try call.instant("since"), try call.instant("until"))
        if let since, let until, until < since {
            throw Failure(.invalidParameter, "until is before since. Use a later time, or leave until out.")
        }
        let (length, dimensions) = (try call.bucketLength(), try call.dimensions())
        taps.flush()
        let period = TapPeriod(since: since ?? min(call.author.at, until ?? call.author.at) + .seconds(-30 * 24 * 3600), until: until)
        return .json(try stores.taps(of: app, TapQuery(period, bucket: length, by: dimensions)).json)
    }
}

extension AdminCall {
    fileprivate func bucketLength() throws(Failure) -> TapBucketLength? {
        guard let text = request.query["bucket"] else { return nil }
        guard let length = TapBucketLength(rawValue: text) else {
            throw Failure(.invalidParameter, "bucket: \(quoted(text)) is neither hour nor day.")
        }
        return length
    }

    /// A list, such as `audience,day`.
    fileprivate func dimensions() throws(Failure) -> Set<TapDimension> {
        guard let text = request.query["by"] else { return [] }
        return Set(
            try text.split(separator: ",", omittingEmptySubsequences: false).map { name throws(Failure) in
                guard let dimension = TapDimension(rawValue: String(name)) else {
                    throw Failure(
                        .invalidParameter, "by: \(quoted(String(name))) is not audience, revision or day. Separate several by commas.")
                }
                return dimension
            })
    }
}
