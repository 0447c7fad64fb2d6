import QuickActions

extension Release {
    /// Warnings of a release check about SF Symbols, in the set and in the release's static items.
    func symbolWarnings(of set: ShortcutSet) -> [Warning] {
        let dynamic = set.items.enumerated().map { ($1.id.description, $1.icon?.symbol, DocumentPath.root["items"][$0]) }
        return dynamic.compactMap { owner, symbol, path in symbolWarning(about: owner, symbol, at: path) }
    }

    /// The same for the static items.
    var staticSymbolWarnings: [Warning] {
        staticItems.enumerated().compactMap { index, item in
            symbolWarning(about: item.type.string, item.icon?.symbol, at: .root["staticItems"][index])
        }
    }

    private func symbolWarning(about owner: String, _ symbol: Text?, at path: DocumentPath) -> Warning? {
        guard let symbol, !(assets?.symbols.contains(symbol) ?? false) else { return nil }
        let (symbols, path, name) = (SFSymbols.known, path["icon"]["symbol"], quoted(symbol.string))
        guard symbols.contains(symbol) else {
            let hint = symbols.nearest(to: symbol).map { "Did you mean \(quoted($0))?" } ?? "Check its spelling."
            return Warning(
                path: path, code: "symbol-unknown", about: [owner, symbol.string],
                message: "\(name) is not among the SF Symbols up to iOS 26, so the item may have no icon. \(hint)")
        }
        guard let system = minimumOSVersion, let version = symbols.version(introducing: symbol, above: system) else { return nil }
        let former = symbols.earlierName(of: symbol, in: system).map { " Its earlier name \(quoted($0)) has one." } ?? ""
        return Warning(
            path: path, code: "symbol-too-new", about: [owner, symbol.string],
            message: "\(name) exists since iOS \(version), but release \(id) runs on iOS \(system). There the item has no icon.\(former)")
    }
}
