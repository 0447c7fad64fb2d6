import QuickActions
import Shortcuts

/// What a fetch is told of an unknown query parameter that looks like one of ours, such as `language`: unknown ones are ignored
/// on the client plane, and a menu in the wrong language says nothing of why.
///
/// There is one notice for each of our parameters and not one for each spelling, so that spellings that anybody can make up
/// have a handful of answers in common.
enum ParameterNotice: String, CaseIterable, Hashable, Sendable {
    case lang, audience, build, revision, scope
    /// Part of the path, and often asked for in the query.
    case version

    /// The response field that carries it.
    static let field = "Longpress-Notice"

    /// Visible ASCII and blanks.
    var text: String {
        switch self {
        case .version: "A query parameter is unknown and was ignored: the version is the one in the path."
        default: "A query parameter is unknown and was ignored: did you mean \"\(rawValue)\"?"
        }
    }

    /// A name that is no parameter and gives this notice: in the simplest request that gets it.
    var example: String {
        switch self {
        case .lang: "language"
        case .version: "version"
        case .audience, .build, .revision, .scope: rawValue + "s"
        }
    }

    /// The notice for a query with these names; of several the first in the order above, whatever their order in the query. Nil
    /// where no unknown name looks like one of ours, or where the one that it looks like is given too.
    ///
    /// Only the first few unknown names are looked at, and none that is much longer than ours: the work is bounded.
    /// - Parameters:
    ///   - names: of the query, decoded.
    ///   - known: the parameters that the route reads.
    init?(_ names: some Sequence<String>, known: Set<ParameterNotice>) {
        let names = Set(names)
        let unknown = names.lazy.filter { name in !known.contains { $0.rawValue == name } }
        let meant = unknown.sorted().prefix(Self.mostNames).compactMap { Self.meant(by: $0) }
        let candidates = Self.allCases.filter { known.contains($0) && !names.contains($0.rawValue) || $0 == .version }
        guard let first = candidates.first(where: meant.contains) else { return nil }
        self = first
    }

    /// Letter case, `-` and `_` are no part of what a name means.
    private static func meant(by name: String) -> ParameterNotice? {
        guard name.utf8.count <= longestName else { return nil }
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        return synonyms[plain] ?? nearestName(to: plain, among: names).flatMap { ParameterNotice(rawValue: $0) }
    }

    private static let names = allCases.map(\.rawValue)
    private static let mostNames = 8
    private static let longestName = 24

    /// What other services call it, beyond a misspelling.
    private static let synonyms: [String: ParameterNotice] = [
        "language": .lang, "languages": .lang, "languagecode": .lang, "locale": .lang, "locales": .lang, "hl": .lang,
        "acceptlanguage": .lang,
        "aud": .audience, "variant": .audience, "segment": .audience, "cohort": .audience,
        "buildnumber": .build, "bundleversion": .build, "cfbundleversion": .build, "appbuild": .build,
        "rev": .revision, "minrevision": .revision,
        "appversion": .version, "bundleshortversionstring": .version, "ver": .version,
    ]
}
