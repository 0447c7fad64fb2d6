/// A part of a list. `next` is the opaque cursor of the part after it, nil at the end.
package struct Page<Element: Sendable>: Sendable {
    package let items: [Element]
    package let next: String?

    package init(items: [Element], next: String?) {
        self.items = items
        self.next = next
    }
}

/// Which part of a list is wanted.
package struct PageRequest: Sendable {
    package let limit: Int
    /// What a former page's `next` said. An unreadable one is `Failure(.invalidParameter)`.
    package let cursor: String?

    package init(limit: Int = 50, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}
