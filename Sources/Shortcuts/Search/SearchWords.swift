import Foundation
import QuickActions

/// The words of a search. Case, accents, widths and the composition of letters are ignored.
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

    /// A quick test without parsing whether a set may have a hit: each word is in its document or place, and at least one word is not only
    /// in its place.
    package func mayOccur(in document: String, at place: SearchHit.Place) -> Bool {
        let (text, around) = (folding.folded(document), folded(place.texts))
        // The version and the audience count as members of the set.
        var isInText = words.contains { word in place.members.contains { occurs(word, in: folding.folded($0.text)) } }
        for word in words {
            // A word with a character that JSON escapes is spelled differently in the document.
            let isFound = occurs(word, in: text) || word.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
            isInText = isInText || isFound
            guard isFound || around.contains(where: { occurs(word, in: $0) }) else { return false }
        }
        return isInText
    }

    /// The member to show if each word occurs in one of the members or in `around`: the first member that has all of the words, else the
    /// first that has one.
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

/// strstr(3), which is several times faster than Swift's search by characters.
private func occurs(_ word: String, in text: String) -> Bool {
    strstr(text, word) != nil
}

/// Folds texts so that texts which look alike become equal: compatibility decomposition (NFKD) without accents, and case folding that maps
/// ß to ss. Each character is folded separately and cached, which is several times faster than folding whole texts.
final class SearchFolding {
    private var known: [Unicode.Scalar: [UInt8]] = [:]

    func folded(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value).asciiLowercased)
            } else {
                bytes += folded(scalar)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
        if let folded = known[scalar] { return folded }
        var plain = String.UnicodeScalarView()
        for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars where !(0x300...0x36F).contains(part.value) {
            plain.append(part)
        }
        let folded = Array(String(plain).lowercased().uppercased().lowercased().utf8)
        known[scalar] = folded
        return folded
    }
}
