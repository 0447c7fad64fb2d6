import QuickActions

/// The catalogs that `--strings` names.
package struct StringCatalogs: Sendable {
    private let catalogs: [StringCatalog]

    /// - Throws: the problems of all files.
    package init(_ paths: [String]) throws(RemoteFailure) {
        var catalogs: [StringCatalog] = []
        var problems: [String] = []
        for path in paths {
            do throws(RemoteFailure) {
                catalogs.append(try StringCatalog(path))
            } catch {
                problems.append(error.description)
            }
        }
        guard problems.isEmpty else { throw RemoteFailure(problems) }
        self.catalogs = catalogs
    }

    /// The titles for a key.
    /// - Parameters:
    ///   - language: the app's default language, which the titles must include; nil if unknown.
    ///   - place: the file and the path of the key, for messages.
    func titles(for key: Text, needing language: LanguageTag?, at place: String) -> (titles: JSON, problems: [String]) {
        let name = "\(place): the key \(quoted(key.string))"
        let having = catalogs.filter { $0.has(key) }
        guard let catalog = having.first else {
            let wayOut =
                catalogs.isEmpty
                ? "pass its String Catalog with --strings"
                : "add it to \(catalogs.map(\.path).joined(separator: " or ")), or write the texts instead"
            return (.null, ["\(name) is not in any catalog: \(wayOut)."])
        }
        guard having.count == 1 else {
            return (.null, ["\(name) is in \(having.map(\.path).joined(separator: " and in ")). Keep it in one of them."])
        }
        let lookup = catalog.texts(of: key)
        var problems = lookup.problems
        if let language, problems.isEmpty, !lookup.texts.contains(where: { $0.language == language }) {
            problems.append("\(name) has no text in the app's default language \(language). Translate it in \(catalog.path).")
        }
        return (.object(lookup.texts.map { JSON.Member(Text($0.language.description), .string($0.text)) }), problems)
    }

    /// One sentence for each key that lacks languages which other keys have. This is not an error, because the service serves the default
    /// language's text instead.
    func gaps(in keys: Set<Text>) -> [String] {
        catalogs.flatMap { catalog in Self.gaps(in: keys.filter(catalog.has).sorted(), of: catalog) }
    }

    private static func gaps(in keys: [Text], of catalog: StringCatalog) -> [String] {
        let languages = keys.map { Set(catalog.texts(of: $0).texts.map(\.language)) }
        let all = languages.reduce(into: Set<LanguageTag>()) { $0.formUnion($1) }
        return zip(keys, languages).compactMap { key, languages in
            let missing = all.subtracting(languages).sorted().map(\.description).joined(separator: ", ")
            guard !missing.isEmpty, catalog.isTranslated(key) else { return nil }
            return "\(catalog.path): the key \(quoted(key.string)) lacks \(missing), unlike other keys of the tree."
        }
    }
}

/// A String Catalog (`.xcstrings`, format 1.x), as Xcode writes it.
struct StringCatalog: Sendable {
    let path: String
    let sourceLanguage: String
    private let strings: [Text: JSON]

    /// The titles of a key, and its problems as sentences.
    struct Lookup {
        var texts: [(language: LanguageTag, text: Text)] = []
        var problems: [String] = []
    }

    private static let limit = 64 << 20

    /// Reads the file. Problems of a key are found when the key is looked up.
    init(_ path: String) throws(RemoteFailure) {
        var bytes = try LocalFile.read(path, atMost: Self.limit)
        // Editors on Windows may add a byte order mark, which Xcode ignores.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let json = try LocalFile.json(bytes, named: path)
        guard let version = json.text("version"), case .object(let members)? = json["strings"], let source = json.text("sourceLanguage")
        else {
            throw RemoteFailure("\(path) is not a String Catalog. It lacks version, sourceLanguage or strings.")
        }
        guard version.split(separator: ".").first == "1" else {
            throw RemoteFailure(
                "\(path) is a String Catalog of version \(quoted(version)), but this version of Longpress reads 1.0. Update longpress.")
        }
        guard LanguageTag(source) != nil else {
            throw RemoteFailure("\(path): its sourceLanguage \(quoted(source)) is not a language tag.")
        }
        self.path = path
        sourceLanguage = source
        strings = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    func has(_ key: Text) -> Bool { strings[key] != nil }

    /// Whether the key is meant to be translated.
    func isTranslated(_ key: Text) -> Bool { strings[key]?.boolean("shouldTranslate") ?? true }

    /// All languages of a key, the source language first. If the catalog omits the source language's text, the key itself is that text.
    func texts(of key: Text) -> Lookup {
        var lookup = Lookup()
        guard let entry = strings[key] else { return lookup }
        let localizations = entry["localizations"]?.members ?? []
        let isTranslated = isTranslated(key)
        if localizations[Text(sourceLanguage)] == nil { lookup.add(sourceLanguage, key) }
        for localization in localizations where isTranslated || localization.name.string == sourceLanguage {
            take(localization, of: key, into: &lookup)
        }
        lookup.texts.sort { left, right in
            let source = LanguageTag(sourceLanguage)
            return left.language == source ? right.language != source : right.language != source && left.language < right.language
        }
        return lookup
    }

    private func take(_ localization: JSON.Member, of key: Text, into lookup: inout Lookup) {
        let language = localization.name.string
        let name = "\(path): the key \(quoted(key.string))"
        guard LanguageTag(language) != nil else {
            lookup.problems.append("\(name) has the language \(quoted(language)), which is not a language tag.")
            return
        }
        for member in ["variations", "substitutions"] as [Text] where localization.value[member] != nil {
            lookup.problems.append(
                "\(name) has \(member) by plural or device in \(language), but a menu has one text. Use a key without variations.")
            return
        }
        guard let unit = localization.value["stringUnit"], case .string(let text)? = unit["value"], let state = unit.text("state") else {
            lookup.problems.append("\(name) has no stringUnit with a state and a value in \(language).")
            return
        }
        if state == "new" || state == "stale" {
            // If a language lacks a title, the service serves the default language. The source language has no fallback.
            guard language == sourceLanguage else { return }
            lookup.problems.append(
                "\(name) is marked \(quoted(state)) in its source language \(language), so it is not used. Review the text in Xcode.")
            return
        }
        if let specifier = text.string.formatSpecifier {
            lookup.problems.append(
                "\(name) has the format specifier \(quoted(specifier)) in \(language), but a menu has no values for it. Use a text "
                    + "without it.")
            return
        }
        lookup.add(language, text)
    }
}

extension String {
    /// The first format specifier of Foundation's String Programming Guide, such as `%@`, `%lld` or `%1$@`. A percent sign before a word,
    /// as in "100%discount", is not one.
    var formatSpecifier: String? {
        var rest = self[...]
        while let start = rest.firstIndex(of: "%") {
            rest = rest[start...].dropFirst()
            var end = rest.drop { $0.isASCII && ($0.isNumber || $0 == "$" || $0 == ".") }
            for modifier in ["ll", "l", "q", "hh", "h", "z"] where end.hasPrefix(modifier) {
                end = end.dropFirst(modifier.count)
                break
            }
            guard let conversion = end.first, "@diuxXofFeEgGcCsS".contains(conversion) else { continue }
            let after = end.dropFirst()
            guard conversion == "@" || !(after.first?.isLetter ?? false) else { continue }
            return String(self[start..<after.startIndex])
        }
        return nil
    }
}

extension StringCatalog.Lookup {
    fileprivate mutating func add(_ language: String, _ text: Text) {
        guard let tag = LanguageTag(language) else { return }
        texts.append((tag, text))
    }
}
