import QuickActions

/// A rule that a document breaks, with the path.
package struct Violation: Hashable, Sendable {
    /// `items[1].title.en`; empty for the document itself.
    package let path: String
    package let code: String
    /// A sentence with the value and the remedy.
    package let message: String

    package init(path: String, code: String, message: String) {
        self.path = path
        self.code = code
        self.message = message
    }

    package var json: JSON {
        ["path": .string(path), "code": .string(code), "message": .string(message)]
    }
}
