/// Text that is compared by its Unicode scalars.
///
/// Swift's `String ==` merges composed and decomposed letters; two such keys are different keys to a property list,
/// to JSON and to an app, so everything that people typed is held as `Text`. Order is the order of the UTF-8 bytes.
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
        hasher.combine(0xFF as UInt8)  // occurs in no UTF-8: two texts in a row are not one
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
