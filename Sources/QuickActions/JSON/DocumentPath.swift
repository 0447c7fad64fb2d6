/// The path of a value in a document: `items[1].userInfo["a.b"][0]`. It is a linked list that is formatted on demand, because a document
/// has many more values than violations.
package indirect enum DocumentPath: Sendable, CustomStringConvertible {
    case root
    case member(Text, of: DocumentPath)
    case element(Int, of: DocumentPath)

    private static let maxNameBytes = 256

    package subscript(name: Text) -> DocumentPath { .member(name, of: self) }

    package subscript(index: Int) -> DocumentPath { .element(index, of: self) }

    package var description: String {
        switch self {
        case .root: ""
        case .member(let name, let parent): Self.join(parent.description, name)
        case .element(let index, let parent): "\(parent.description)[\(index)]"
        }
    }

    /// A name with other characters than `[A-Za-z0-9_$-]` is written in brackets and quotes.
    private static func join(_ parent: String, _ name: Text) -> String {
        // A long name would be repeated in the path of every value beneath it.
        let name = name.string.utf8.count <= maxNameBytes ? name : Text(name.string.prefix(maxNameBytes / 4) + "…")
        let isPlain =
            !name.string.isEmpty
            && name.string.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "-")
            }
        guard isPlain else { return parent + "[" + String(decoding: JSON.string(name).encoded, as: UTF8.self) + "]" }
        return parent.isEmpty ? name.string : "\(parent).\(name)"
    }
}

/// Formats a value for a message: in quotes, with control characters escaped, truncated to 80 characters.
package func quoted(_ text: String) -> String {
    let short = text.count > 80 ? String(text.prefix(80)) + "…" : text
    return String(decoding: JSON.string(short).encoded, as: UTF8.self)
}
