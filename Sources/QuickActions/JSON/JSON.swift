/// A JSON value (RFC 8259) without loss: members keep their order, `1` and `1.0` differ, integers are exact in `Int64`.
package enum JSON: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// The text of a number that neither `Int64` nor a finite `Double` can represent.
    case outOfRange(String, isInteger: Bool)
    case string(Text)
    case array([JSON])
    case object([Member])

    package struct Member: Sendable {
        package let name: Text
        package let value: JSON

        package init(_ name: Text, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The type with its article, for messages: `a string`.
    package var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real, .outOfRange: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
