/// Where in a document something is: `items[1].userInfo["a.b"][0]`. Written only where something is said of it: a document
/// has many more places than faults.
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

    /// A name outside `[A-Za-z0-9_$-]` is written in brackets and quotes.
    private static func join(_ parent: String, _ name: Text) -> String {
        // A name of a megabyte would be told again with everything beneath it.
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

/// A value as a sentence names it: in quotes, control characters escaped, cut after 80 characters.
package func quoted(_ text: String) -> String {
    let short = text.count > 80 ? String(text.prefix(80)) + "…" : text
    return String(decoding: JSON.string(short).encoded, as: UTF8.self)
}
