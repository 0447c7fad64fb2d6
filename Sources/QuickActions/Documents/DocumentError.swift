/// Why a document of the client plane cannot be read.
package enum DocumentError: Error, Hashable {
    /// The document has another schema.
    case schema(Int64)
    /// The document is invalid. The text says why, such as `"type" is missing or not a string`.
    case malformed(String)
}

extension JSON {
    /// A member that must be present.
    /// - Parameters:
    ///   - kind: the required type, for the message.
    ///   - read: converts the value; nil if it has another type.
    func required<Value>(
        _ name: Text, _ kind: String, _ read: (JSON) -> Value?
    ) throws(DocumentError) -> Value {
        guard let value = self[name].flatMap(read) else { throw .malformed("\(quoted(name.string)) is missing or not \(kind)") }
        return value
    }

    /// A member that may be absent or null.
    func optional<Value>(
        _ name: Text, _ kind: String, _ read: (JSON) -> Value?
    ) throws(DocumentError) -> Value? {
        guard let json = self[name], !json.isNull else { return nil }
        guard let value = read(json) else { throw .malformed("\(quoted(name.string)) is not \(kind)") }
        return value
    }

    package var asText: Text? { if case .string(let text) = self { text } else { nil } }
    package var asInteger: Int64? { if case .integer(let value) = self { value } else { nil } }
    var asBoolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    package var asElements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
    var asMembers: [Member]? { if case .object(let members) = self { members } else { nil } }
}
