import QuickActions
import Shortcuts

/// A notice about an unknown query parameter that resembles a known one, such as `language`. The client plane ignores unknown parameters,
/// so a misspelled parameter would cause a menu in the wrong language without an explanation.
///
/// There is one notice per known parameter, not per spelling, so that arbitrary spellings share few cached answers.
enum ParameterNotice: String, CaseIterable, Hashable, Sendable {
    case lang, audience, build, revision, scope
    /// Part of the path, and often sent in the query.
    case version

    /// The response field of the notice.
    static let field = "Longpress-Notice"

    /// Visible ASCII and blanks.
    var text: String {
        switch self {
        case .version: "A query parameter is unknown and was ignored: the version is the one in the path."
        default: "A query parameter is unknown and was ignored: did you mean \"\(rawValue)\"?"
        }
    }

    /// An unknown name that causes this notice, for the key of the representation with the notice.
    var example: String {
        switch self {
        case .lang: "language"
        case .version: "version"
        case .audience, .build, .revision, .scope: rawValue + "s"
        }
    }

    /// The notice for a query with these names; the first one in the order of the cases. Nil if no unknown name resembles a known one, or
    /// if the query also has that known one.
    ///
    /// Checks at most `nameLimit` unknown names of at most `lengthLimit` bytes.
    /// - Parameters:
    ///   - names: the decoded names of the query.
    ///   - known: the parameters that the route reads.
    init?(_ names: some Sequence<String>, known: Set<ParameterNotice>) {
        let names = Set(names)
        let unknown = names.lazy.filter { name in !known.contains { $0.rawValue == name } }
        let meant = unknown.sorted().prefix(Self.nameLimit).compactMap { Self.meant(by: $0) }
        let candidates = Self.allCases.filter { known.contains($0) && !names.contains($0.rawValue) || $0 == .version }
        guard let first = candidates.first(where: meant.contains) else { return nil }
        self = first
    }

    /// Ignores letter case, `-` and `_`.
    private static func meant(by name: String) -> ParameterNotice? {
        guard name.utf8.count <= lengthLimit else { return nil }
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        return synonyms[plain] ?? nearestName(to: plain, among: names).flatMap { ParameterNotice(rawValue: $0) }
    }

    private static let names = allCases.map(\.rawValue)
    private static let nameLimit = 8
    private static let lengthLimit = 24

    /// The names of these parameters in other services.
    private static let synonyms: [String: ParameterNotice] = [
        "language": .lang, "languages": .lang, "languagecode": .lang, "locale": .lang, "locales": .lang, "hl": .lang,
        "acceptlanguage": .lang,
        "aud": .audience, "variant": .audience, "segment": .audience, "cohort": .audience,
        "buildnumber": .build, "bundleversion": .build, "cfbundleversion": .build, "appbuild": .build,
        "rev": .revision, "minrevision": .revision,
        "appversion": .version, "bundleshortversionstring": .version, "ver": .version,
    ]
}
