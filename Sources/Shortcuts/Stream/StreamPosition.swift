import QuickActions

/// A place in the journal of changes, directly after one entry. Its text, `3fa9c04b.41`, is the id of the entry's event.
///
/// The tag is random for each entry. After a restore from a backup, the database gives the same numbers again; the tag tells the old
/// entries from the new ones.
package struct StreamPosition: Hashable, Sendable, CustomStringConvertible {
    /// Increases by one with each entry, in the order of commits.
    package let number: Int64
    /// 1 to 32 ASCII letters and digits.
    package let tag: String

    package init(number: Int64, tag: String) {
        self.number = number
        self.tag = tag
    }

    /// Nil for text that is not a position.
    package init?(_ text: String) {
        guard text.utf8.count <= 52, let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let (tag, digits) = (text[..<dot], text[text.utf8.index(after: dot)...])
        guard 1...32 ~= tag.utf8.count, tag.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }), !digits.isEmpty,
            digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int64(digits)
        else { return nil }
        self.init(number: number, tag: String(tag))
    }

    package var description: String { "\(tag).\(number)" }
}
