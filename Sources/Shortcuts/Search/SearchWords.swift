import Foundation
import QuickActions

/// The words of a search. Case, accents, widths and the composition of letters do not count.
package final class SearchWords {
    private static let mostCharacters = 200

    /// Folded.
    private let words: [String]
    private let folding = SearchFolding()

    /// - Throws: `invalidParameter`.
    package init(_ text: String) throws(Failure) {
        words = folding.folded(text).split(whereSeparator: \.isWhitespace).map(String.init)
        guard text.count <= Self.mostCharacters, !words.isEmpty else {
            throw Failure(
                .invalidParameter,
                "q: \(quoted(text)) cannot be searched. Use 1 to \(Self.mostCharacters) characters that are not all spaces.")
        }
    }

    func folded(_ texts: [String?]) -> [String] {
        texts.compactMap { $0.map(folding.folded) }
    }

    /// Whether a set may have a hit, told without parsing it: each word is in its document or around it, and one at least not just around it.
    package func mayOccur(in document: String, at place: SearchHit.Place) -> Bool {
        let (text, around) = (folding.folded(document), folded(place.texts))
        // The version and the audience are members of the set, too.
        var isInText = words.contains { word in place.members.contains { occurs(word, in: folding.folded($0.text)) } }
        for word in words {
            // What JSON escapes is not spelled like this in it.
            let isFound = occurs(word, in: text) || word.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
            isInText = isInText || isFound
            guard isFound || around.contains(where: { occurs(word, in: $0) }) else { return false }
        }
        return isInText
    }

    /// The member to show where each word is in one of the members or around them: the first that has all of the words, else the first that
    /// has one.
    /// - Parameter around: folded.
    func match(_ members: [SearchHit.Member], around: [String]) -> SearchHit.Member? {
        let texts = members.map { folding.folded($0.text) }
        let isFound = words.allSatisfy { word in (texts + around).contains { occurs(word, in: $0) } }
        guard isFound else { return nil }
        let place =
            texts.firstIndex { text in words.allSatisfy { occurs($0, in: text) } }
            ?? texts.firstIndex { text in words.contains { occurs($0, in: text) } }
        return place.map { members[$0] }
    }
}

/// strstr(3), which takes a fraction of the time of Swift's search, by characters.
private func occurs(_ word: String, in text: String) -> Bool {
    strstr(text, word) != nil
}
