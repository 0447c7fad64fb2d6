/// A path of the client plane: `/v1/apps/{app}/versions/{version}/{resource}`.
package struct ClientPath: Hashable, Sendable, CustomStringConvertible {
    package enum Resource: String, Hashable, Sendable {
        case shortcuts, continuity, bundle, taps

        /// The path with its parameters in braces.
        package var template: String { ClientPath.text(app: "{app}", version: "{version}", self) }
    }

    package let app: AppID
    package let version: AppVersion
    package let resource: Resource

    package init(_ app: AppID, _ version: AppVersion, _ resource: Resource) {
        (self.app, self.version, self.resource) = (app, version, resource)
    }

    /// Parses a path without percent-encoding; nil for every other path.
    package init?(_ path: String) {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        func text(_ index: Int) -> String { String(decoding: segments[index], as: UTF8.self) }
        guard segments.count == 7, segments[0].isEmpty, segments[1].elementsEqual("v1".utf8), segments[2].elementsEqual("apps".utf8),
            segments[4].elementsEqual("versions".utf8), let app = AppID(text(3)), let version = AppVersion(text(5)),
            let resource = Resource(rawValue: text(6))
        else { return nil }
        self.init(app, version, resource)
    }

    package var description: String { Self.text(app: app.description, version: version.description, resource) }

    private static func text(app: String, version: String, _ resource: Resource) -> String {
        "/v1/apps/\(app)/versions/\(version)/\(resource.rawValue)"
    }
}
