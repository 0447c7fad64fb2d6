/// A page of a list. `next` is the opaque cursor of the following page; nil on the last one.
package struct Page<Element: Sendable>: Sendable {
    package let items: [Element]
    package let next: String?

    package init(items: [Element], next: String?) {
        self.items = items
        self.next = next
    }
}

/// The page to read.
package struct PageRequest: Sendable {
    package let limit: Int
    /// `next` of the page before; nil for the first page. An invalid one is `Failure(.invalidParameter)`.
    package let cursor: String?

    package init(limit: Int = 50, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}
