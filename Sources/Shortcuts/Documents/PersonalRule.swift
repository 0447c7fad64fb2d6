import QuickActions

/// What makes an item personal: the service decides order, wording, language and link; the device fills in the values.
package struct PersonalRule: Hashable, Sendable {
    /// The name of the provider in the app, `^[a-z][a-z0-9-]{0,31}$`.
    package let source: Text
    /// The greatest number of items that the template gives.
    package let limit: Int
    /// A value for each placeholder, ascending by name. Only previews show it; it is never served on the client plane.
    package let sample: [Sample]
    var unknown = UnknownMembers.none

    package struct Sample: Hashable, Sendable {
        package let name: Text
        package let value: Text
    }

    static let limits: ClosedRange<Int64> = 1...4
    static let maxSamples = 20

    /// For templates.
    var sampleValues: [String: String] {
        Dictionary(sample.map { ($0.name.string, $0.value.string) }, uniquingKeysWith: { first, _ in first })
    }

    /// Members with their default are left out.
    var json: JSON {
        let known: JSON = [
            "source": .string(source), "limit": limit == 1 ? nil : .integer(Int64(limit)),
            "sample": sample.isEmpty ? nil : .object(sample.map { JSON.Member($0.name, .string($0.value)) }),
        ]
        return known.adding(unknown)
    }
}

extension ShortcutItem {
    /// The most items that the item gives on a device.
    package var greatestCount: Int { personal?.limit ?? 1 }

    /// The row as a preview shows it: with the sample values.
    func previewRow(_ row: Row) -> Row {
        guard let values = personal?.sampleValues else { return row }
        func shown(_ text: Text) -> Text {
            let filled = try? Template(text).filled(with: values)
            return filled.map { Text(String($0.prefix(ServedPersonalItem.maxTextLength))) } ?? text
        }
        return Row(language: row.language, title: shown(row.title), subtitle: row.subtitle.map(shown))
    }

    /// The URL as a preview shows it: with the sample values.
    var previewURL: ActionURL? {
        guard let url, let values = personal?.sampleValues else { return url }
        let filled = try? Template(Text(url.description)).filledURL(with: values)
        return filled.map { ActionURL(stored: $0) } ?? url
    }
}

extension ShortcutSet {
    /// The enabled items that are not personal.
    package var plainItems: [ShortcutItem] { items.filter { $0.isEnabled && $0.personal == nil } }

    /// The enabled personal items, with their places in the full menu.
    package var personalItems: [(at: Int, item: ShortcutItem)] {
        enabledItems.enumerated().filter { $1.personal != nil }.map { (at: $0, item: $1) }
    }
}

extension DocumentChecker {
    func personalRule(_ json: JSON, at path: DocumentPath) -> PersonalRule? {
        guard let object = object(json, at: path, known: ["source", "limit", "sample"]) else { return nil }
        let source = object.required("source", source)
        let limit = object.optional("limit") { integer($0, at: $1, in: PersonalRule.limits) } ?? 1
        let sample = object.optional("sample", sample) ?? []
        return source.map { PersonalRule(source: $0, limit: Int(limit), sample: sample, unknown: object.unknown) }
    }

    private func source(_ json: JSON, at path: DocumentPath) -> Text? {
        parsed(json, at: path, "source-invalid") {
            "\(quoted($0)) is not a source. Use 1 to 32 lower-case ASCII letters, digits or hyphens, beginning with a letter, for example "
                + "recent-contact."
        } _: { text in
            guard let first = text.utf8.first, first.isASCIILowercaseLetter, text.utf8.count <= 32,
                text.utf8.allSatisfy({ $0.isASCIILowercaseLetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
            else { return nil }
            return Text(text)
        }
    }

    private func sample(_ json: JSON, at path: DocumentPath) -> [PersonalRule.Sample]? {
        guard case .object(let members) = json else {
            mismatch(json, at: path, wanted: "an object of texts by placeholder, for example {\"name\": \"Name\"}")
            return nil
        }
        if !isStored, members.count > PersonalRule.maxSamples {
            note(
                "too-many-items", at: path, "\(path) has \(members.count) values. Use at most \(PersonalRule.maxSamples).")
        }
        return members.filter { !$0.value.isNull }.compactMap { member in
            let path = path[member.name]
            guard Template.isName(member.name.string) else {
                note(
                    "placeholder-invalid", at: path,
                    "\(quoted(member.name.string)) is not the name of a placeholder. \(Self.placeholderRule)")
                return nil
            }
            let value = line(member.value, at: path, upTo: 255, "text-invalid") { _ in
                "\(path) must have 1 to 255 characters without control characters."
            }
            return value.map { PersonalRule.Sample(name: member.name, value: $0) }
        }.sorted { $0.name < $1.name }
    }

    fileprivate static let placeholderRule =
        "Use 1 to 32 ASCII letters or digits, beginning with a lower-case letter, for example {name}. For a brace, write {{ or }}."
}

/// Checks the placeholders in the texts of one personal item. Braces mean placeholders only there.
struct PlaceholderRules {
    private let item: CheckedObject
    private var checker: DocumentChecker { item.checker }
    /// The placeholders with the path of their first text, in the order of the texts.
    private var used: [(name: String, path: DocumentPath)] = []

    /// Notes the violations of a personal item.
    /// - Parameters:
    ///   - rule: nil if it is invalid.
    ///   - language: the app's default language.
    static func check(_ item: CheckedObject, _ rule: PersonalRule?, language: LanguageTag?) {
        var rules = PlaceholderRules(item: item)
        rules.checkRows(of: "title", language)
        rules.checkRows(of: "subtitle", language)
        // Its violations are those of `templateURL`.
        let url = item.optional("url") { json, _ -> Template? in
            if case .string(let text) = json { try? Template(text) } else { nil }
        }
        if let url {
            rules.use(url, at: item.path(of: "url"))
            rules.checkLength(of: url, rule)
        }
        _ = item.optional("userInfo") { json, path in rules.checkStrings(of: json, at: path) }
        rules.checkSamples()
    }

    private init(item: CheckedObject) {
        self.item = item
    }

    private mutating func use(_ template: Template, at path: DocumentPath) {
        for case .placeholder(let name) in template.parts where !used.contains(where: { $0.name == name }) { used.append((name, path)) }
    }

    /// All languages must have the same placeholders, because one item has one set of values.
    private mutating func checkRows(of member: String, _ language: LanguageTag?) {
        var rows: [(template: Template, path: DocumentPath, language: LanguageTag?)] = []
        _ = item.optional(member) { json, path in
            for row in json.members {
                guard case .string(let text) = row.value else { continue }
                let path = path[row.name]
                if let template = checker.template(text, at: path) { rows.append((template, path, LanguageTag(row.name.string))) }
            }
        }
        for row in rows { use(row.template, at: row.path) }
        guard let first = rows.first(where: { $0.language != nil && $0.language == language }) ?? rows.first else { return }
        for row in rows where row.template.placeholders != first.template.placeholders {
            checker.note(
                "placeholders-differ", at: row.path,
                "\(row.path) has \(row.template.listed), but \(first.path) has \(first.template.listed). Use the same placeholders in every "
                    + "language.")
        }
    }

    private func checkLength(of url: Template, _ rule: PersonalRule?) {
        guard url.text.string.utf8.count <= ActionURL.maxBytes, let values = rule?.sampleValues, let filled = url.filledURL(with: values),
            filled.utf8.count > ActionURL.maxBytes
        else {
            return
        }
        let path = item.path(of: "url")
        checker.note(
            "url-too-long", at: path,
            "With the sample values, the URL has \(filled.utf8.count) bytes. Use at most \(ActionURL.maxBytes).")
    }

    private mutating func checkStrings(of json: JSON, at path: DocumentPath) {
        switch json {
        case .string(let text):
            if let template = checker.template(text, at: path) { use(template, at: path) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { checkStrings(of: element, at: path[index]) }
        case .object(let members) where !PropertyList.Marker.isMeant(by: members):
            for member in members { checkStrings(of: member.value, at: path[member.name]) }
        default: break
        }
    }

    private func checkSamples() {
        let isObject = item.optional("personal") { json, path -> Bool? in
            guard case .object(let members) = json else { return nil }
            let sample = members["sample"]
            guard case .object(let given) = sample ?? [:] else { return sample?.isNull ?? true }
            checkNames(given.filter { !$0.value.isNull }.map(\.name), at: path["sample"])
            return false
        }
        if isObject ?? false { checkNames([], at: item.path(of: "personal")["sample"]) }
    }

    private func checkNames(_ given: [Text], at path: DocumentPath) {
        for (name, origin) in used where !given.contains(Text(name)) {
            checker.note(
                "placeholder-undeclared", at: path[Text(name)],
                "{\(name)} in \(origin) has no sample value. Add \(path[Text(name)]), for example \(quoted(name)).")
        }
        for name in given where Template.isName(name.string) && !used.contains(where: { $0.name == name.string }) {
            checker.note(
                "placeholder-unused", at: path[name],
                "No text of the item has the placeholder {\(name)}. Remove the value, or use the placeholder.")
        }
    }
}

extension DocumentChecker {
    fileprivate func template(_ text: Text, at path: DocumentPath) -> Template? {
        do throws(Template.ParseError) {
            return try Template(text)
        } catch {
            note("placeholder-invalid", at: path, "\(path) has \(quoted(error.part)), which is not a placeholder. \(Self.placeholderRule)")
            return nil
        }
    }

    /// The URL of a personal item. It is valid whatever the values are, and they change neither its scheme nor its authority.
    func templateURL(_ json: JSON, at path: DocumentPath) -> ActionURL? {
        guard !isStored else { return actionURL(json, at: path) }
        guard let text = string(json, at: path) else { return nil }
        guard text.string.utf8.count <= ActionURL.maxBytes else { return actionURL(json, at: path) }
        guard let template = template(text, at: path) else { return nil }
        let parts = URIParts(text.string)
        // The empty value leaves the least; "-" is neither a hexadecimal digit nor a delimiter.
        func filled(_ value: String) -> String {
            template.filledURL(with: Dictionary(uniqueKeysWithValues: template.placeholders.map { ($0, value) })) ?? ""
        }
        let empty = URIParts(filled(""))
        let head = parts.scheme ?? text.string.prefix { !":/?#".contains($0) }
        let authority = [parts.userInfo, parts.host, parts.port]
        guard !([head] + authority).contains(where: { $0?.contains { "{}".contains($0) } ?? false }),
            [empty.userInfo, empty.host, empty.port] == authority
        else {
            note(
                "placeholder-misplaced", at: path,
                "\(quoted(text.string)) has a placeholder before its path, so that a value could change where the URL leads. Use "
                    + "placeholders in the path, the query or the fragment.")
            return nil
        }
        for value in ["", "-"] where !isActionURL(filled(value), as: text, at: path) { return nil }
        return ActionURL(stored: text.string)
    }
}

extension Template {
    /// `{address}, {name}`, or `no placeholder`.
    fileprivate var listed: String {
        placeholders.isEmpty ? "no placeholder" : placeholders.sorted().map { "{\($0)}" }.joined(separator: ", ")
    }
}
