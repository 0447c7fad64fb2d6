import QuickActions

/// The Info.plist of a built app, to be imported as a release. The paths of violations are its keys.
package struct InfoPlist {
    static let howToSend = "Send the built Info.plist, encoded in base64."

    private let root: PropertyList.Dictionary

    /// - Parameter bytes: the file, an XML or binary property list.
    package init(_ bytes: [UInt8]) throws(Failure) {
        guard case .dictionary(let root) = try PropertyList.read(bytes) else {
            throw .invalidDocument([
                Violation(
                    path: "", code: "type-mismatch", message: "The property list is not a dictionary. Send the Info.plist of the built app."
                )
            ])
        }
        self.root = root
    }

    /// The release in the plist.
    /// - Throws: `invalidDocument`, also if the plist belongs to another app, version or build.
    package func release(_ id: AppBuild, of app: AppID) throws(Failure) -> Release {
        let checker = DocumentChecker()
        checkKind(checker)
        checkBundle(app, checker)
        let (version, build) = stated(checker)
        if let version, version != id.version {
            note(
                "version-mismatch", "CFBundleShortVersionString", checker,
                "The Info.plist has version \(version), but the path has \(id.version). Use version \(version), or send the Info.plist of "
                    + "\(id.version)."
            )
        }
        if let named = id.build, build != named, hasReadableBuild {
            note(
                "version-mismatch", "CFBundleVersion", checker,
                "The Info.plist has build \(build.map(\.description) ?? "none"), but the path has build \(named). Use the same build.")
        }
        let staticItems = staticItems(checker)
        let release = Release(
            id: AppBuild(id.version, build: build), staticItems: staticItems, urlSchemes: urlSchemes(checker), assets: nil,
            minimumOSVersion: text("MinimumOSVersion", checker),
            displayName: text("CFBundleDisplayName", checker) ?? text("CFBundleName", checker))
        try checker.finish()
        // A plist may have values that a document cannot have: a key named $date, a date in the year 10000.
        return try ReleaseDocument(release.json).checked(for: release.id)
    }

    /// The version and build in the plist.
    package func id() throws(Failure) -> AppBuild {
        let checker = DocumentChecker()
        let (version, build) = stated(checker)
        try checker.finish()
        guard let version else { throw .invalidDocument([]) }
        return AppBuild(version, build: build)
    }

    private func stated(_ checker: DocumentChecker) -> (AppVersion?, BuildNumber?) {
        (
            version("CFBundleShortVersionString", checker, required: true) { AppVersion($0) },
            version("CFBundleVersion", checker, required: false) { BuildNumber($0) }
        )
    }

    private func checkKind(_ checker: DocumentChecker) {
        for key in ["NSExtension", "EXAppExtensionAttributes"] where root[Text(key)] != nil {
            note("not-an-app", key, checker, "\(key) marks an app extension. Send the Info.plist of the app itself.")
        }
        if case .string(let type)? = root["CFBundlePackageType"], type != "APPL", !type.isBuildSetting {
            note("not-an-app", "CFBundlePackageType", checker, "\(quoted(type.string)) is not APPL, the package type of an app.")
        }
    }

    private func checkBundle(_ app: AppID, _ checker: DocumentChecker) {
        guard let bundle = requiredText("CFBundleIdentifier", checker), bundle.string != app.description else { return }
        note(
            "bundle-mismatch", "CFBundleIdentifier", checker,
            "The Info.plist has the bundle identifier \(quoted(bundle.string)), but the path has \(quoted(app.description)).")
    }

    private var hasReadableBuild: Bool {
        guard case .string(let text)? = root["CFBundleVersion"] else { return root["CFBundleVersion"] == nil }
        return BuildNumber(text.string) != nil
    }

    private func version<Value>(
        _ key: String, _ checker: DocumentChecker, required: Bool, _ parse: (String) -> Value?
    ) -> Value? {
        guard let text = required ? requiredText(key, checker) : text(key, checker) else { return nil }
        guard let value = parse(text.string) else {
            note(
                "invalid-version", key, checker,
                "\(quoted(text.string)) is not a version. Use one to three integers separated by periods, for example 2.10.0.")
            return nil
        }
        return value
    }

    private func urlSchemes(_ checker: DocumentChecker) -> [Text] {
        var schemes: [Text] = []
        var seen: Set<Text> = []
        for (index, type) in array("CFBundleURLTypes", checker).enumerated() {
            let path = DocumentPath.root["CFBundleURLTypes"][index]
            guard case .dictionary(let type) = type else {
                checker.note("type-mismatch", at: path, "\(path) must be a dictionary.")
                continue
            }
            guard case .array(let listed)? = type["CFBundleURLSchemes"] else { continue }
            for (position, scheme) in listed.enumerated() {
                let path = path["CFBundleURLSchemes"][position]
                guard let text = text(scheme, path, checker), seen.insert(text).inserted else { continue }
                schemes.append(text)
            }
        }
        return schemes
    }
}

extension InfoPlist {
    func array(_ key: Text, _ checker: DocumentChecker) -> [PropertyList] {
        switch root[key] {
        case nil: return []
        case .array(let elements)?: return elements
        default:
            note("type-mismatch", key.string, checker, "\(key) must be an array.")
            return []
        }
    }

    private func requiredText(_ key: String, _ checker: DocumentChecker) -> Text? {
        guard root[Text(key)] != nil else {
            note("required", key, checker, "\(key) is missing. Send the Info.plist of the built app.")
            return nil
        }
        return text(key, checker)
    }

    private func text(_ key: String, _ checker: DocumentChecker) -> Text? {
        root[Text(key)].flatMap { text($0, DocumentPath.root[Text(key)], checker) }
    }

    /// A string; an unexpanded build setting is a violation.
    func text(_ value: PropertyList, _ path: DocumentPath, _ checker: DocumentChecker) -> Text? {
        guard case .string(let text) = value else {
            checker.note("type-mismatch", at: path, "\(path) must be a string.")
            return nil
        }
        guard !text.isBuildSetting else {
            checker.note(
                "build-setting", at: path,
                "\(quoted(text.string)) is an unexpanded build setting. Send the Info.plist of the built app, not of the project.")
            return nil
        }
        return text
    }

    private func note(_ code: String, _ key: String, _ checker: DocumentChecker, _ message: String) {
        checker.note(code, at: DocumentPath.root[Text(key)], message)
    }
}

extension Text {
    /// `$(MARKETING_VERSION)` or `${MARKETING_VERSION}`
    fileprivate var isBuildSetting: Bool {
        string.contains("$(") || string.contains("${")
    }
}

extension InfoPlist {
    func staticItems(_ checker: DocumentChecker) -> [StaticItem] {
        array("UIApplicationShortcutItems", checker).enumerated().compactMap { index, value in
            let path = DocumentPath.root["UIApplicationShortcutItems"][index]
            guard case .dictionary(let item) = value else {
                checker.note("type-mismatch", at: path, "\(path) must be a dictionary.")
                return nil
            }
            return staticItem(item, path, checker)
        }
    }

    private func staticItem(
        _ item: PropertyList.Dictionary, _ path: DocumentPath, _ checker: DocumentChecker
    ) -> StaticItem? {
        func text(_ key: String) -> Text? {
            let key = Text("UIApplicationShortcutItem\(key)")
            return item[key].flatMap { self.text($0, path[key], checker) }
        }
        func required(_ key: String) -> Text? {
            if item[Text("UIApplicationShortcutItem\(key)")] == nil {
                let missing = path[Text("UIApplicationShortcutItem\(key)")]
                checker.note("required", at: missing, "\(missing) is missing. Add it.")
            }
            return text(key)
        }
        let (type, title, subtitle) = (required("Type"), required("Title"), text("Subtitle"))
        let (symbol, file) = (text("IconSymbolName"), text("IconFile"))
        let iconType = text("IconType").flatMap { SystemIconType(name: $0.string) }
        guard let type, let title else { return nil }
        let hasIcon = symbol != nil || file != nil || iconType != nil
        var userInfo = PropertyList.Dictionary.empty
        if case .dictionary(let dictionary)? = item["UIApplicationShortcutItemUserInfo"] { userInfo = dictionary }
        if PropertyList.dictionary(userInfo).hasMarkerKey {
            checker.note(
                "marker-invalid", at: path["UIApplicationShortcutItemUserInfo"],
                "A key $date or $data looks like a marker of a date or data value. Rename the key.")
        }
        return StaticItem(
            type: type, title: title, subtitle: subtitle,
            icon: hasIcon ? ShortcutIcon(symbol: symbol, file: file, type: iconType) : nil, userInfo: userInfo)
    }
}

extension PropertyList {
    /// Whether the value contains a dictionary that JSON would read as a date or data marker.
    fileprivate var hasMarkerKey: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasMarkerKey)
        case .dictionary(let dictionary):
            dictionary.members.contains { $0.key == "$date" || $0.key == "$data" || $0.value.hasMarkerKey }
        case .string, .integer, .real, .boolean, .date, .data: false
        }
    }
}
