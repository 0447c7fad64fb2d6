/// The value of `If-Match` or `If-None-Match`: a list of entity tags, or `*` (RFC 9110 section 13.1).
package struct EntityTagCondition: Sendable {
    private let isAny: Bool
    private let tags: [String]

    package init(_ field: String) {
        let trimmed = field.trimmingBlanks
        isAny = trimmed == "*"
        tags = isAny ? [] : Self.tags(trimmed)
    }

    /// Strong comparison: weak tags never match. `*` matches whatever there is.
    package func matchesStrongly(_ current: String?) -> Bool {
        guard let current else { return false }
        return isAny || (!current.hasPrefix("W/") && tags.contains(current))
    }

    /// Weak comparison: a proxy that compresses makes our tags weak, and they still match.
    package func matchesWeakly(_ current: String?) -> Bool {
        guard let current else { return false }
        return isAny || tags.contains { Self.opaque($0) == Self.opaque(current) }
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }

    /// Commas may stand inside a tag, so the quotes are followed.
    private static func tags(_ field: Substring) -> [String] {
        var tags: [String] = []
        var current = ""
        var isQuoted = false
        for character in field {
            if character == "," && !isQuoted {
                tags.append(String(current.trimmingBlanks))
                current = ""
                continue
            }
            if character == "\"" { isQuoted.toggle() }
            current.append(character)
        }
        return (tags + [String(current.trimmingBlanks)]).filter { !$0.isEmpty }
    }
}

extension StringProtocol {
    var trimmingBlanks: Substring {
        var text = Substring(self)
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
