import QuickActions

/// The SF Symbols that Apple published up to iOS 26. Apple adds names every year, so an unknown name may be correct.
struct SFSymbols: Sendable {
    static let known = SFSymbols()

    /// The version of iOS that introduced each name, such as `17.2`. Earlier names still work.
    private var introduced: [Substring: Substring] = [:]
    /// Renames in both directions.
    private var (successors, earlierNames): ([Substring: Substring], [Substring: Substring]) = ([:], [:])

    private init() {
        var version: Substring = ""
        for word in Self.list.description.split(whereSeparator: \.isWhitespace) {
            if word.hasPrefix("iOS-") {
                version = word.dropFirst(4)
            } else if let sign = word.firstIndex(of: ">") {
                let (old, new) = (word[..<sign], word[word.index(after: sign)...])
                successors[old] = new
                earlierNames[new] = old
            } else {
                introduced[word] = version
            }
        }
    }

    func contains(_ name: Text) -> Bool { introduced[name.string[...]] != nil }

    /// The version of iOS that introduced the symbol, if it is above `system`.
    func version(introducing name: Text, above system: Text) -> String? {
        guard let version = introduced[name.string[...]], let system = AppVersion(system.string), let own = AppVersion(String(version)),
            own > system
        else {
            return nil
        }
        return String(version)
    }

    /// The former name of the symbol if `system` knows it.
    func earlierName(of name: Text, in system: Text) -> String? {
        guard let old = earlierNames[name.string[...]], version(introducing: Text(String(old)), above: system) == nil else { return nil }
        return String(old)
    }

    /// The symbol that an unknown name may mean.
    func nearest(to name: Text) -> String? {
        successors[name.string[...]].map(String.init) ?? nearestName(to: name.string, among: introduced.keys.sorted().lazy.map(String.init))
    }
}
