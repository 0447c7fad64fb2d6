/// Header fields in their order; names are compared without regard to case (RFC 9110 section 5.1).
package struct Fields: Sendable {
    package struct Field: Sendable {
        package let name: String
        package let value: String
    }

    package private(set) var all: [Field] = []

    package init() {}

    package mutating func append(_ name: String, _ value: String) {
        all.append(Field(name: name, value: value))
    }

    /// Replaces every field of the name.
    package mutating func set(_ name: String, _ value: String) {
        all.removeAll { isSameName($0.name, name) }
        append(name, value)
    }

    package func first(_ name: String) -> String? {
        all.first { isSameName($0.name, name) }?.value
    }

    package func all(_ name: String) -> [String] {
        all.filter { isSameName($0.name, name) }.map(\.value)
    }

    /// The values of every field of the name as one list (RFC 9110 section 5.3); nil where there is none.
    package func combined(_ name: String) -> String? {
        let values = all(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// ASCII only: field names are tokens.
private func isSameName(_ left: String, _ right: String) -> Bool {
    let (left, right) = (left.utf8, right.utf8)
    return left.count == right.count && zip(left, right).allSatisfy { $0.lowercased == $1.lowercased }
}

extension UInt8 {
    var lowercased: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
