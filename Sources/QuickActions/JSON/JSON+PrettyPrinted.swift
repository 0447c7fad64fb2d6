extension JSON {
    /// Compact UTF-8 with a line feed at the end, for terminals. Every JSON body of the service is written like this.
    package var encodedLine: [UInt8] { encoded + [UInt8(ascii: "\n")] }

    /// UTF-8 with every member and element on its own line, indented by two spaces, and a line feed at the end.
    package var prettyPrinted: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, depth: 0)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Appends the value in the format of `prettyPrinted`.
    /// - Parameter depth: the number of arrays and objects around the value.
    package func append(to bytes: inout [UInt8], depth: Int) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            Self.append(elements, between: "[", "]", to: &bytes, depth) { element, bytes in
                element.append(to: &bytes, depth: depth + 1)
            }
        case .object(let members) where !members.isEmpty:
            Self.append(members, between: "{", "}", to: &bytes, depth) { member, bytes in
                JSON.string(member.name).append(to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                member.value.append(to: &bytes, depth: depth + 1)
            }
        default: append(to: &bytes)
        }
    }

    private static func append<Part>(
        _ parts: [Part], between opening: Unicode.Scalar, _ closing: Unicode.Scalar, to bytes: inout [UInt8], _ depth: Int,
        _ append: (Part, inout [UInt8]) -> Void
    ) {
        func newLine(_ depth: Int) {
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
        }
        bytes.append(UInt8(ascii: opening))
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            newLine(depth + 1)
            append(part, &bytes)
        }
        newLine(depth)
        bytes.append(UInt8(ascii: closing))
    }
}
