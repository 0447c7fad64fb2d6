import QuickActions

extension Revision {
    /// The revision with what it said.
    package var json: JSON { summary.adding("set", set?.json ?? .null) }

    package var summary: JSON {
        .object([
            JSON.Member("revision", .integer(number)), JSON.Member("kind", .string(kind.rawValue)),
            JSON.Member("version", .string(version.description)), JSON.Member("audience", .string(audience.description)),
            JSON.Member("publishedAt", .string(publishedAt.description)), JSON.Member("by", .string(by)),
        ])
    }
}
