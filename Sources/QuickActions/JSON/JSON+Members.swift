extension JSON {
    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The value of an object's member; nil where there is none, and of everything else.
    package subscript(name: Text) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// An object's members in their order; none of everything else.
    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The object with one more member.
    package func adding(_ name: Text, _ value: JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.adding(name, value))
    }

    /// The object with another's members behind its own.
    package func adding(membersOf other: JSON) -> JSON {
        .object(members + other.members)
    }
}

extension [JSON.Member] {
    /// The value of the member; nil where there is none.
    package subscript(name: Text) -> JSON? {
        first { $0.name == name }?.value
    }

    /// The text of the member; nil where there is none, and where it is something else.
    package func text(_ name: Text) -> Text? {
        guard case .string(let text)? = self[name] else { return nil }
        return text
    }

    /// The members with one more, where there is a value.
    package func adding(_ name: Text, _ value: JSON?) -> [JSON.Member] {
        guard let value else { return self }
        return self + [JSON.Member(name, value)]
    }
}
