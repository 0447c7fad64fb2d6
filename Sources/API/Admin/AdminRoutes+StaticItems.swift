import HTTP
import Shortcuts

/// A release's static items as the two files of an app bundle: the property list and its localized strings.
extension AdminRoutes {
    var staticItemRoutes: [Route] {
        [
            route("getStaticPropertyList", .get, "/apps/{app}/releases/{version}/static.plist", .reader, getStaticPropertyList),
            route("getStaticStrings", .get, "/apps/{app}/releases/{version}/static.strings", .reader, query: ["lang"], getStaticStrings),
        ]
    }

    private func getStaticPropertyList(_ call: AdminCall) throws(Failure) -> Response {
        let type = call.request.preferredType("application/x-plist", orText: "text/xml; charset=utf-8")
        return .document(try release(call).staticPropertyList, type: type)
    }

    /// Uses the requested language, or the app's default language.
    private func getStaticStrings(_ call: AdminCall) throws(Failure) -> Response {
        let language = try call.request.query.language
        let release = try release(call)
        let strings = StaticStrings(of: release, in: language ?? .none, from: try snapshot(call))
        return .document(Array(strings.text.utf8), type: "text/plain; charset=utf-8")
    }
}
