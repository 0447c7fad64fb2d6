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
