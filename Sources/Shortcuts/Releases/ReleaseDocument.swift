import QuickActions

/// The document of a release: `{"build", "staticItems", "urlSchemes", "assets", "minimumOSVersion", "displayName"}`.
package struct ReleaseDocument {
    private static let maxStaticItems = 20
    private static let maxSchemes = 200

    private static let members: Set = [
        "version", "build", "staticItems", "urlSchemes", "assets", "minimumOSVersion", "displayName",
    ]

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Parameter id: the version and build in the path; those in the body must be equal.
    package func checked(for id: AppBuild) throws(Failure) -> Release {
        try checked(for: id, DocumentChecker())
    }

    fileprivate func checked(for id: AppBuild, _ checker: DocumentChecker) throws(Failure) -> Release {
        let release = read(checker, at: .root, for: id)
        try checker.finish()
        guard let release else { throw .invalidDocument([]) }
        return release
    }

    /// Reads the document as a part of another one.
    func read(_ checker: DocumentChecker, at path: DocumentPath, for id: AppBuild) -> Release? {
        guard let document = checker.object(json, at: path, known: Self.members) else { return nil }
        checkVersion(document, id)
        return read(document, id)
    }

    /// Reads a release of a list; its member `version` is required.
    func readWithVersion(_ checker: DocumentChecker, at path: DocumentPath) -> Release? {
        guard let document = checker.object(json, at: path, known: Self.members) else { return nil }
        let version = document.required("version", checker.version)
        return version.flatMap { read(document, AppBuild($0)) }
    }

    private func read(_ document: CheckedObject, _ id: AppBuild) -> Release? {
        let build = document.optional("build", document.checker.build)
        if let build, let named = id.build, build != named {
            document.checker.note(
                "version-mismatch", at: document.path(of: "build"),
                "The document has build \(build), but the path has build \(named). Send it to …/releases/\(id.version)+\(build).")
        }
        let checker = document.checker
        let staticItems = document.list("staticItems", atMost: Self.maxStaticItems) { staticItem($0, at: $1, checker) }
        let urlSchemes = document.list("urlSchemes", atMost: Self.maxSchemes, checker.shortString)
        let assets = document.optional("assets", document.checker.assets)
        let minimumOSVersion = document.optional("minimumOSVersion", checker.shortString)
        let displayName = document.optional("displayName", checker.shortString)
        var release = Release(
            id: AppBuild(id.version, build: build ?? id.build), staticItems: staticItems, urlSchemes: urlSchemes,
            assets: assets, minimumOSVersion: minimumOSVersion, displayName: displayName)
        release.unknown = document.unknown
        return release
    }

    private func checkVersion(_ document: CheckedObject, _ id: AppBuild) {
        guard let version = document.string("version"), AppVersion(version.string) != id.version else { return }
        document.checker.note(
            "version-mismatch", at: document.path(of: "version"),
            "The document has version \(quoted(version.string)), but the path has \(id.version). Use the same version.")
    }

    private func staticItem(_ json: JSON, at path: DocumentPath, _ checker: DocumentChecker) -> StaticItem? {
        let known: Set = ["type", "title", "subtitle", "icon", "userInfo"]
        guard let item = checker.object(json, at: path, known: known) else { return nil }
        let type = item.required("type", checker.type)
        let title = item.required("title", checker.shortString)
        let subtitle = item.optional("subtitle", checker.shortString)
        let icon = item.optional("icon", checker.icon)
        let userInfo = item.optional("userInfo") { json, path in
            checker.propertyListDictionary(json, at: path, maxDepth: BinaryPropertyListReader.maxDepth)
        }
        if !checker.isStored, let userInfo { checker.checkSize(of: userInfo, at: item.path(of: "userInfo")) }
        guard let type, let title else { return nil }
        return StaticItem(
            type: type, title: title, subtitle: subtitle, icon: icon, userInfo: userInfo ?? .empty, unknown: item.unknown)
    }
}

extension DocumentChecker {
    func assets(_ json: JSON, at path: DocumentPath) -> Release.Assets? {
        guard let assets = object(json, at: path, known: ["images", "symbols"]) else { return nil }
        let images = assets.list("images", atMost: Release.Assets.limit, shortString)
        let symbols = assets.list("symbols", atMost: Release.Assets.limit, shortString)
        var read = Release.Assets(images: images, symbols: symbols)
        read.unknown = assets.unknown
        return read
    }
}

extension Release {
    package var json: JSON {
        let known: JSON = [
            "version": .string(id.version), "build": .optional(id.build), "staticItems": .array(staticItems.map(\.json)),
            "urlSchemes": .array(urlSchemes.map { .string($0) }), "assets": assets?.json ?? .null,
            "minimumOSVersion": .optional(minimumOSVersion?.string), "displayName": .optional(displayName?.string),
        ]
        return known.adding(unknown)
    }

    package var canonicalJSON: [UInt8] { json.encoded }

    /// The opaque part of its entity tag (RFC 9110 section 8.8.3).
    package var tag: String { entityHash(of: canonicalJSON) }

    /// Reads a stored release.
    package init(stored bytes: [UInt8]) throws(Failure) {
        self = try Failure.onStoredDocument { () throws(Failure) in
            let json = try JSON(document: bytes)
            guard case .string(let text)? = json["version"], let version = AppVersion(text.string) else {
                throw .corrupt("A stored release has no version.")
            }
            return try ReleaseDocument(json).checked(for: AppBuild(version), DocumentChecker(isStored: true))
        }
    }
}

extension Release.Assets {
    fileprivate var json: JSON {
        let known: JSON = ["images": .array(images.map { .string($0) }), "symbols": .array(symbols.map { .string($0) })]
        return known.adding(unknown)
    }
}

extension StaticItem {
    package var json: JSON {
        let known: JSON = [
            "type": .string(type), "title": .string(title), "subtitle": subtitle.map { .string($0) }, "icon": icon?.json,
            "userInfo": userInfo.isEmpty ? nil : userInfo.json,
        ]
        return known.adding(unknown)
    }
}
