import QuickActions

/// A place in the journal of changes: right behind one entry. Its text, `3fa9c04b.41`, is the id of the entry's event.
///
/// The tag is random for each entry: a number that another life of the database has given, before a backup was put back, is not taken
/// for an entry of this one.
package struct StreamPosition: Hashable, Sendable, CustomStringConvertible {
    /// Grows with the commits, in steps of one.
    package let number: Int64
    /// 1 to 32 ASCII letters and digits.
    package let tag: String

    package init(number: Int64, tag: String) {
        self.number = number
        self.tag = tag
    }

    /// Nil for text that no position has.
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
