import QuickActions

extension Revision {
    /// The revision with what it said.
    package var json: JSON { summary.adding("set", set?.json ?? .null) }

    package var summary: JSON {
        [
            "revision": .integer(number), "kind": .string(kind.rawValue), "version": .string(version), "audience": .string(audience),
            "publishedAt": .string(publishedAt), "by": .string(by),
        ]
    }
}
