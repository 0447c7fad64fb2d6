extension JSON {
    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The value of an object's member. Nil if it is absent or this is not an object.
    package subscript(name: Text) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// An object's members in order; empty for other values.
    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The object with the member appended; other values are returned unchanged.
    package func adding(_ name: Text, _ value: JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.adding(name, value))
    }

    /// The object with the members of another appended.
    package func adding(membersOf other: JSON) -> JSON {
        .object(members + other.members)
    }
}

extension [JSON.Member] {
    /// The value of the first member with the name.
    package subscript(name: Text) -> JSON? {
        first { $0.name == name }?.value
    }

    /// The member if it is a string.
    package func text(_ name: Text) -> Text? {
        guard case .string(let text)? = self[name] else { return nil }
        return text
    }

    /// The members with one appended, unless the value is nil.
    package func adding(_ name: Text, _ value: JSON?) -> [JSON.Member] {
        guard let value else { return self }
        return self + [JSON.Member(name, value)]
    }
}
