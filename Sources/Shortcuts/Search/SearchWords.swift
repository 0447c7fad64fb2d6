import Foundation
import QuickActions

/// The words of a search. Case, accents, widths and the composition of letters do not count.
package struct SearchWords: Sendable {
    private static let mostCharacters = 200

    /// As `folded` writes them.
    private let words: [String]

    /// - Throws: `invalidParameter`.
    package init(_ text: String) throws(Failure) {
        words = folded(text).split(whereSeparator: \.isWhitespace).map(String.init)
        guard text.count <= Self.mostCharacters, !words.isEmpty else {
            throw Failure(
                .invalidParameter,
                "q: \(quoted(text)) cannot be searched. Give 1 to \(Self.mostCharacters) characters that are not all blanks.")
        }
    }

    /// Whether a document may have a hit, told without parsing it: each word is in its text or around it, and one at least in its text.
    package func mayOccur(in document: String, at place: SearchHit.Place) -> Bool {
        let context = place.context
        let text = folded(document)
        var isInText = false
        for word in words {
            // What JSON escapes is not spelled like this in it.
            let isFound = occurs(word, in: text) || word.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
            isInText = isInText || isFound
            guard isFound || context.texts.contains(where: { occurs(word, in: $0) }) else { return false }
        }
        return isInText
    }

    /// The member to show where each word is in one of the members or around them: the first that has all of the words, else the first that
    /// has one.
    func match(_ members: [SearchHit.Member], around context: SearchContext) -> SearchHit.Member? {
        let texts = members.map { folded($0.text) }
        let isFound = words.allSatisfy { word in (texts + context.texts).contains { occurs(word, in: $0) } }
        guard isFound else { return nil }
        let place =
            texts.firstIndex { text in words.allSatisfy { occurs($0, in: text) } }
            ?? texts.firstIndex { text in words.contains { occurs($0, in: text) } }
        return place.map { members[$0] }
    }
}

/// What is known of a place beside its document: its app, version and audience. Words may be found here too.
struct SearchContext: Sendable {
    fileprivate let texts: [String]

    init(_ texts: [String?]) {
        self.texts = texts.compactMap { $0.map(folded) }
    }
}

/// strstr(3), which takes a fraction of the time of Swift's search, by characters.
private func occurs(_ word: String, in text: String) -> Bool {
    strstr(text, word) != nil
}

/// Compatibility decomposition (NFKD) without accents, and a case folding that also takes ß for ss.
private func folded(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.lowercased() }
    var scalars = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars where !(0x300...0x36F).contains(scalar.value) {
        scalars.append(scalar)
    }
    return String(scalars).lowercased().uppercased().lowercased()
}
