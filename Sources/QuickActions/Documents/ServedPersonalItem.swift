/// A personal item as the client plane serves it: templates, which the device fills with the values of a source.
package struct ServedPersonalItem: Sendable, Hashable {
    package let id: ItemID
    package let type: Text
    package let title: Template
    package let subtitle: Template?
    package let icon: ServedItem.Icon?
    package let targetContentIdentifier: Text?
    /// The index in the full menu, where each template counts as one item. Nil for a disabled item, which only taps resolve to.
    package let at: Int?
    /// The name of the provider in the app.
    package let source: Text
    /// The greatest number of items that the template gives: 1 to 4.
    package let limit: Int
    /// The item's own members and the version tag, to be registered unchanged. Its strings, `longpress.url` included, are templates.
    package let userInfo: PropertyList.Dictionary
    package let language: LanguageTag
    /// The action hash, from the version tag.
    package let action: Text
    /// The template of its URL.
    private let url: Template?
    /// The templates among the strings of the item's own `userInfo`.
    private let templates: [Text: Template]

    /// In grapheme clusters.
    package static let maxTextLength = 100

    /// - Parameter client: see `ServedItem`.
    package init(_ json: JSON, for client: AppBuild? = nil) throws(DocumentError) {
        let tagged = try TaggedUserInfo(json, for: client)
        (id, language, action, userInfo) = (tagged.id, tagged.language, tagged.action, tagged.userInfo)
        type = try json.required("type", "a string", \.asText)
        title = try json.required("localizedTitle", "a template") { $0.asText.flatMap { try? Template($0) } }
        subtitle = try json.optional("localizedSubtitle", "a template") { $0.asText.flatMap { try? Template($0) } }
        icon = try ServedItem.Icon(of: json)
        targetContentIdentifier = try json.optional("targetContentIdentifier", "a string", \.asText)
        at = try json.optional("at", "an integer from 0") { $0.asInteger.flatMap { $0 < 0 ? nil : Int(exactly: $0) } }
        source = try json.required("source", "a string", \.asText)
        limit = try json.required("limit", "an integer from 1 to 4") { json in
            json.asInteger.flatMap { (1...4).contains($0) ? Int($0) : nil }
        }
        var templates: [Text: Template] = [:]
        for member in userInfo.members where !member.isOfTag {
            guard member.value.readTemplates(into: &templates) else {
                throw .malformed("the userInfo of \(quoted(id.description)) has braces that are not a placeholder")
            }
        }
        self.templates = templates
        guard case .string(let text)? = userInfo[VersionTag.Name.url] else {
            url = nil
            return
        }
        guard let url = try? Template(text) else {
            throw .malformed("the URL of \(quoted(id.description)) has braces that are not a placeholder")
        }
        self.url = url
    }

    /// The names of all values that the item needs.
    package var placeholders: Set<String> {
        ([title, subtitle, url].compactMap { $0 } + templates.values).reduce(into: []) { $0.formUnion($1.placeholders) }
    }

    /// The item to register: title and subtitle have values. `userInfo` keeps the templates and carries the values.
    /// - Returns: nil if the item cannot be filled: a value is missing, the title is blank, or the URL is longer than 2,048 bytes.
    package func registered(with values: [String: String], isVisible: Bool = true) -> ServedItem? {
        guard filledUserInfo(with: values) != nil else { return nil }
        let carried = userInfo.members.map { (key: $0.key, value: $0.value) }.filter { $0.key != VersionTag.Name.values }
        return filled(
            with: values, isVisible: isVisible,
            userInfo: PropertyList.Dictionary(carried + [(VersionTag.Name.values, .string(PersonalValues.encoded(values)))]))
    }

    /// The item to act on: all texts have values, including `userInfo` and `longpress.url`.
    /// - Returns: nil as `registered(with:)`.
    package func delivered(with values: [String: String], isVisible: Bool = true) -> ServedItem? {
        filledUserInfo(with: values).flatMap { filled(with: values, isVisible: isVisible, userInfo: $0) }
    }

    private func filled(with values: [String: String], isVisible: Bool, userInfo: PropertyList.Dictionary) -> ServedItem? {
        guard let title = title.filled(with: values)?.asRow, title.string.contains(where: { !$0.isWhitespace }) else { return nil }
        var row: Text?
        if let subtitle {
            guard let filled = subtitle.filled(with: values) else { return nil }
            row = filled.asRow
        }
        return ServedItem(
            id: id, type: type, title: title, subtitle: row, icon: icon, targetContentIdentifier: targetContentIdentifier,
            isVisible: isVisible, userInfo: userInfo, language: language, action: action)
    }

    private func filledUserInfo(with values: [String: String]) -> PropertyList.Dictionary? {
        var members: [(key: Text, value: PropertyList)] = []
        for member in userInfo.members {
            guard let value = member.isOfTag ? member.value : member.value.filled(with: values, templates) else { return nil }
            members.append((member.key, value))
        }
        guard let url else { return PropertyList.Dictionary(members) }
        guard let filled = url.filledURL(with: values), filled.utf8.count <= ActionURL.maxBytes else { return nil }
        return PropertyList.Dictionary([(VersionTag.Name.url, .string(Text(filled)))] + members)
    }
}

extension PropertyList.Dictionary.Member {
    fileprivate var isOfTag: Bool { key.string.utf8.starts(with: VersionTag.prefix.utf8) }
}

extension String {
    /// One row of a menu: without line breaks and control characters, and not longer than the system shows.
    fileprivate var asRow: Text {
        let scalars = String.UnicodeScalarView(unicodeScalars.lazy.map { $0.isLineBreakOrControl ? " " : $0 })
        return Text(String(String(scalars).prefix(ServedPersonalItem.maxTextLength)))
    }
}

extension PropertyList {
    /// Parses every string in the value as a template. False if one is not valid.
    fileprivate func readTemplates(into templates: inout [Text: Template]) -> Bool {
        switch self {
        case .string(let text):
            guard let template = try? Template(text) else { return false }
            templates[text] = template
            return true
        case .array(let elements): return elements.allSatisfy { $0.readTemplates(into: &templates) }
        case .dictionary(let dictionary): return dictionary.members.allSatisfy { $0.value.readTemplates(into: &templates) }
        case .integer, .real, .boolean, .date, .data: return true
        }
    }

    /// Nil if a value is missing.
    fileprivate func filled(with values: [String: String], _ templates: [Text: Template]) -> PropertyList? {
        switch self {
        case .string(let text): return templates[text]?.filled(with: values).map { .string(Text($0)) }
        case .array(let elements):
            let filled = elements.compactMap { $0.filled(with: values, templates) }
            return filled.count == elements.count ? .array(filled) : nil
        case .dictionary(let dictionary):
            var members: [(key: Text, value: PropertyList)] = []
            for member in dictionary.members {
                guard let value = member.value.filled(with: values, templates) else { return nil }
                members.append((member.key, value))
            }
            return .dictionary(Dictionary(members))
        case .integer, .real, .boolean, .date, .data: return self
        }
    }
}
