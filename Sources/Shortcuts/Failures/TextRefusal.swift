/// Why the text of a setting is not what it should be: a sentence that names it and the way out.
package struct TextRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
