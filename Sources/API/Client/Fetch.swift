import HTTP
import QuickActions
import Shortcuts

/// A fetch as an event loop reads it from a request's head. What is wrong with one is for its route to say: here it is none.
struct Fetch {
    let app: AppID
    let request: FetchRequest
    /// The route's name, for metrics.
    let route: String

    init?(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) {
        let path = bytes.text(head.path)
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.count == 7, !path.utf8.contains(UInt8(ascii: "%")), segments[0].isEmpty, segments[1].elementsEqual("v1".utf8),
            segments[2].elementsEqual("apps".utf8), segments[4].elementsEqual("versions".utf8),
            let app = AppID(String(decoding: segments[3], as: UTF8.self)),
            let version = AppVersion(String(decoding: segments[5], as: UTF8.self))
        else { return nil }
        let isContinuity = segments[6].elementsEqual("continuity".utf8)
        guard isContinuity || segments[6].elementsEqual("shortcuts".utf8) else { return nil }
        func text(_ range: Range<Int>?) -> String? { range.map { bytes.text($0) } }
        let fields = FetchRequest.Negotiation(
            accept: text(head.accept), acceptEncoding: text(head.acceptEncoding), acceptLanguage: text(head.acceptLanguage))
        let rawQuery = text(head.query) ?? ""
        guard let query = try? Query(decoding: rawQuery),
            let request = try? isContinuity
                ? FetchRequest.continuity(version, query, fields) : FetchRequest.shortcuts(version, query, fields)
        else { return nil }
        self.app = app
        self.request = request
        route = isContinuity ? ClientRoutes.continuityName : ClientRoutes.shortcutsName
    }
}
