/// A page of a list. `next` is the opaque cursor of the following page; nil on the last one.
package struct Page<Element: Sendable>: Sendable {
    package let items: [Element]
    package let next: String?
    private let cursor: @Sendable (_ index: Int) -> String

    /// - Parameter cursor: the cursor of a page that begins after the item with that index.
    package init(items: [Element], next: String?, cursor: @escaping @Sendable (_ index: Int) -> String) {
        self.items = items
        self.next = next
        self.cursor = cursor
    }

    /// A list that fits on one page.
    package init(whole items: [Element]) {
        self.init(items: items, next: nil) { _ in "" }
    }

    package func map<Item>(_ transform: (Element) -> Item) -> Page<Item> {
        Page<Item>(items: items.map(transform), next: next, cursor: cursor)
    }

    /// The cursor of the following page if this one were cut after the item with that index.
    package func cursor(behind index: Int) -> String { cursor(index) }
}

/// The page to read.
package struct PageRequest: Sendable {
    package let limit: Int
    /// `next` of the previous page; nil for the first page. An invalid cursor is `Failure(.invalidParameter)`.
    package let cursor: String?

    package init(limit: Int = 50, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}
