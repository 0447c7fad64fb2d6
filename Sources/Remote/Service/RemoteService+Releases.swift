import Foundation
import QuickActions

extension RemoteService {
    /// The request to the release gate.
    package struct GateQuestion: Sendable {
        package var app: AppID
        package var release: AppBuild
        package var audience: Audience
        /// In the format of `PUT`.
        package var set: JSON?
        /// The bytes of the built Info.plist.
        package var infoPlist: [UInt8]?
        package var assets: AssetListing?

        package init(app: AppID, release: AppBuild, audience: Audience, set: JSON?, infoPlist: [UInt8]?, assets: AssetListing?) {
            self.app = app
            self.release = release
            self.audience = audience
            self.set = set
            self.infoPlist = infoPlist
            self.assets = assets
        }

        fileprivate var json: JSON {
            [
                "version": .string(release), "audience": .string(audience), "set": set,
                "infoPlist": infoPlist.map { .string(Data($0).base64EncodedString()) },
                "assets": assets.map { ["images": $0.imageNames, "symbols": $0.symbolNames] },
            ]
        }
    }

    /// Checks a release before it ships.
    package func check(_ question: GateQuestion) throws(RemoteFailure) -> (violations: [Finding], warnings: [Finding]) {
        let answer = try progress.showing("Asking \(address) …") { () throws(RemoteFailure) in
            try json(Call(method: "POST", path: "/apps/\(question.app)/check", body: question.json.encoded))
        }
        guard case .array? = answer["violations"], case .array? = answer["warnings"] else {
            throw notLongpress("answered a check, but the answer has no findings")
        }
        return (answer.elements("violations").compactMap(Finding.init), answer.elements("warnings").compactMap(Finding.init))
    }

    /// The document that an app bundles to answer without a network, byte for byte as the service serves it.
    package func bundle(_ app: AppID, _ release: AppBuild, _ audience: Audience) throws(RemoteFailure) -> [UInt8] {
        let build = release.build.map { [("build", $0.description)] } ?? []
        let path = "/apps/\(app)/versions/\(release.version)/bundle"
        let document = try bytes(Call(plane: .client, path: path, query: [("audience", audience.description)] + build))
        guard let json = try? JSONReader.read(document), json["continuity"] != nil, json["shortcuts"] != nil else {
            throw notLongpress("answered \(path), but the answer is not a bundle")
        }
        return document
    }

    package enum SimulationFormat: String, Sendable, CaseIterable {
        case human, json
    }

    /// The menu between an update and its first launch, as text or as JSON.
    /// - Parameter draft: whether to include drafts as if they were published.
    package func simulate(
        _ app: AppID, from: AppBuild, to: AppBuild, language: String?, audience: Audience, draft: Bool, _ format: SimulationFormat
    ) throws(RemoteFailure) -> [UInt8] {
        var query = [("from", from.description), ("to", to.description), ("audience", audience.description)]
        if let language { query.append(("lang", language)) }
        if draft { query.append(("draft", "true")) }
        return try bytes(Call(path: "/apps/\(app)/simulate", query: query, accept: format == .human ? "text/plain" : "application/json"))
    }
}

/// The version and the build in an Info.plist, unchanged. The service validates them.
package struct InfoPlistVersion: Sendable {
    package let version: String?
    package let build: String?

    /// - Parameter bytes: XML or binary.
    /// - Returns: nil if they are not a property list.
    package init?(_ bytes: [UInt8]) {
        guard let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any] else { return nil }
        version = list["CFBundleShortVersionString"] as? String
        build = list["CFBundleVersion"] as? String
    }
}
