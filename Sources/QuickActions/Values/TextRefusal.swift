/// An invalid text of a setting. The description has the text and the remedy.
package struct TextRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
