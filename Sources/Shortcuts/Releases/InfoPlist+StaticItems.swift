import QuickActions

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
