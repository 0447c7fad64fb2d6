import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var tapRoutes: [Route] {
        [
            route("tapStatistics", .get, "/apps/{app}/taps", .reader, query: ["since", "until", "bucket", "by", "format"], tapStatistics),
            route("tapRanking", .get, "/apps/{app}/taps/ranking", .reader, query: ["since", "until"], tapRanking),
        ]
    }

    private func tapStatistics(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let (period, length, dimensions) = (try call.period(), try call.bucketLength(), try call.dimensions())
        let isCSV = try call.isCSV()
        taps.flush()
        let statistics = try stores.taps(of: app, TapQuery(period, bucket: length, by: dimensions))
        return isCSV ? .document(Array(statistics.csv.utf8), type: "text/csv; charset=utf-8; header=present") : .json(statistics.json)
    }

    private func tapRanking(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let period = try call.period()
        let end = period.until ?? call.time
        guard period.since + .seconds(24 * 3600 * TapRanking.maxDays) >= end else {
            throw Failure(.invalidParameter, "since is more than \(TapRanking.maxDays) days before the end. Use a later time.")
        }
        taps.flush()
        return .json(try stores.ranking(of: app, period).json(until: end))
    }
}

extension AdminCall {
    /// `since` and `until`. By default, the 30 days before `until`, or until now.
    fileprivate func period() throws(Failure) -> TapPeriod {
        let (since, until) = (try instant("since"), try instant("until"))
        if let since, let until, until < since {
            throw Failure(.invalidParameter, "until is before since. Use a later time, or leave until out.")
        }
        return TapPeriod(since: since ?? min(time, until ?? time) + .seconds(-30 * 24 * 3600), until: until)
    }

    fileprivate func isCSV() throws(Failure) -> Bool {
        switch request.query["format"] {
        case nil, "json": return false
        case "csv": return true
        case let other?: throw Failure(.invalidParameter, "format: \(quoted(other)) is neither json nor csv.")
        }
    }

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
