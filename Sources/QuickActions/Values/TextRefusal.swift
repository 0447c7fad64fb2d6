/// The text of a setting is invalid: a sentence with the text and the remedy.
package struct TextRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
