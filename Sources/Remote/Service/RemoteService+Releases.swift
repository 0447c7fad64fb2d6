import Foundation
import QuickActions

extension RemoteService {
    /// The request to the release gate.
    package struct GateQuestion: Sendable {
        package let json: JSON

        /// - Parameters:
        ///   - audience: nil for every audience.
        ///   - set: in the format of `PUT`.
        ///   - tree: the app's part of a tree, from `MenuTree.part`.
        ///   - infoPlist: the bytes of the built Info.plist.
        ///   - bundled: files that `longpress bundle` wrote.
        package init(
            release: AppBuild, audience: Audience?, set: JSON?, tree: JSON?, infoPlist: [UInt8]?, assets: AssetListing?, bundled: [JSON]
        ) {
            json = [
                "version": .string(release), "audience": audience.map { .string($0) }, "set": set, "tree": tree,
                "infoPlist": infoPlist.map { .string(Data($0).base64EncodedString()) },
                "assets": assets.map { ["images": $0.imageNames, "symbols": $0.symbolNames] },
                "bundled": bundled.isEmpty ? nil : .array(bundled.map(\.bundleSummary)),
            ]
        }

    }

    /// Checks a release before it ships.
    /// - Returns: the answer of `POST /admin/v1/apps/{app}/check`.
    package func check(_ question: GateQuestion, of app: AppID) throws(RemoteFailure) -> JSON {
        let answer = try progress.showing("Asking \(address) …") { () throws(RemoteFailure) in
            try json(Call(method: "POST", path: "/apps/\(app)/check", body: question.json.encoded))
        }
        guard case .array? = answer["violations"], case .array? = answer["warnings"] else {
            throw notLongpress("answered a check, but the answer has no findings")
        }
        return answer
    }

    /// The document that an app bundles to answer without a network, byte for byte as the service serves it.
    /// - Parameter audience: `every` for all audiences.
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

extension JSON {
    /// The members of a bundle that a check needs.
    fileprivate var bundleSummary: JSON {
        guard case .object = self else { return self }
        let audiences = self["audiences"]?.members.map { JSON.Member($0.name, $0.value.isNull ? .null : $0.value.bundleSummary) }
        return [
            "app": self["app"], "version": self["version"], "audience": self["audience"], "revision": self["revision"],
            "audiences": audiences.map { .object($0) },
        ]
    }
}

extension RemoteService {
    /// Imports a release from an Info.plist, XML or binary. The release keeps its assets.
    package func putRelease(infoPlist: [UInt8], _ release: AppBuild, of app: AppID) throws(RemoteFailure) -> Answer {
        try answer(
            Call(
                method: "PUT", path: "/apps/\(app)/releases/\(release)", body: infoPlist, contentType: "application/x-plist",
                remedy: ServiceError.appRemedy))
    }

    /// Imports a release from a JSON document.
    /// - Parameters:
    ///   - assets: replace those of the document.
    ///   - tag: the entity tag of the release to replace, with its quotes; nil for any.
    package func putRelease(
        _ document: JSON, _ assets: AssetListing?, _ release: AppBuild, of app: AppID, tag: String? = nil
    ) throws(RemoteFailure) -> Answer {
        var document = document
        if let assets {
            document = JSON.object(document.members.filter { $0.name != "assets" })
                .adding("assets", ["images": assets.imageNames, "symbols": assets.symbolNames])
        }
        let fields = tag.map { [("If-Match", $0)] } ?? []
        return try answer(
            Call(
                method: "PUT", path: "/apps/\(app)/releases/\(release)", fields: fields, body: document.encoded,
                remedy: ServiceError.appRemedy))
    }

    package func deleteRelease(_ release: AppBuild, of app: AppID) throws(RemoteFailure) -> Answer {
        try answer(
            Call(
                method: "DELETE", path: "/apps/\(app)/releases/\(release)",
                remedy: "longpress release list --app \(app) lists the releases."))
    }
}

/// The app and the version in an Info.plist, unchanged. The service validates them.
package struct InfoPlistVersion: Sendable {
    package let bundleIdentifier: String?
    private let version: String?
    let build: String?
    private let path: String

    /// - Parameter bytes: XML or binary.
    package init(_ bytes: [UInt8], named path: String) throws(RemoteFailure) {
        guard let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any] else {
            throw RemoteFailure("\(path) is not a property list. Pass the built Info.plist.")
        }
        bundleIdentifier = list["CFBundleIdentifier"] as? String
        version = list["CFBundleShortVersionString"] as? String
        build = list["CFBundleVersion"] as? String
        self.path = path
    }

    /// The bundle identifier; nil if there is none.
    /// - Throws: if it is not valid, for example an unexpanded build setting.
    package func app() throws(RemoteFailure) -> String? {
        guard let bundleIdentifier, AppID(bundleIdentifier) == nil else { return bundleIdentifier }
        throw RemoteFailure(
            "\(path): CFBundleIdentifier is \(quoted(bundleIdentifier)), which is not a bundle identifier. Pass the Info.plist of the built "
                + "app, or set the app with --app.")
    }

    /// The version and the build, such as `3.0+512`.
    package func release() throws(RemoteFailure) -> String {
        guard let version else {
            throw RemoteFailure("\(path) has no CFBundleShortVersionString. Pass the built Info.plist, or set the release with --version.")
        }
        for text in [version, build.map { "\(version)+\($0)" } ?? version] where AppBuild(text) == nil {
            throw RemoteFailure("\(path): \(AppBuild.rule(for: text)) Pass the Info.plist of the built app, not of the project.")
        }
        return build.map { "\(version)+\($0)" } ?? version
    }
}
