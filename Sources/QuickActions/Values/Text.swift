/// A string that is compared by its Unicode scalars and ordered by its UTF-8 bytes.
///
/// `String ==` treats canonically equivalent strings as equal. They differ as keys of property lists and JSON, and for an app. So all text
/// from documents is `Text`.
package struct Text: Sendable {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }
}

extension Text: Hashable {
    package static func == (left: Text, right: Text) -> Bool {
        left.string.utf8.elementsEqual(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)  // Never part of UTF-8: delimits texts that are hashed in a row.
    }
}

extension Text: Comparable {
    package static func < (left: Text, right: Text) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }
}

extension Text: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral value: String) {
        self.init(value)
    }

    package var description: String { string }
}

extension String {
    /// Without leading and trailing spaces and tabs.
    package var trimmingBlanks: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}

/// An invalid text of a setting. The description has the text and the remedy.
package struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

extension Unicode.Scalar {
    /// A control character (category Cc) or a line or paragraph separator.
    package var isLineBreakOrControl: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }
}
