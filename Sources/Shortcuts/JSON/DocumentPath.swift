/// Where in a document something is: `items[1].userInfo["a.b"][0]`.
package struct DocumentPath: Sendable, CustomStringConvertible {
    package let description: String

    private static let longestName = 256

    package static let root = DocumentPath(description: "")

    private init(description: String) {
        self.description = description
    }

    /// A member; a name outside `[A-Za-z0-9_$-]` is written in brackets and quotes.
    package subscript(name: Text) -> DocumentPath {
        // A name of a megabyte would be told again with everything beneath it.
        let name = name.string.utf8.count <= Self.longestName ? name : Text(name.string.prefix(Self.longestName / 4) + "…")
        let isPlain =
            !name.string.isEmpty
            && name.string.utf8.allSatisfy {
                $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "-")
            }
        guard isPlain else {
            return DocumentPath(
                description: description + "[" + String(decoding: JSON.string(name).encoded, as: UTF8.self) + "]")
        }
        return DocumentPath(description: description.isEmpty ? name.string : "\(description).\(name)")
    }

    package subscript(index: Int) -> DocumentPath {
        DocumentPath(description: "\(description)[\(index)]")
    }
}

/// A value as a sentence names it: in quotes, control characters escaped, cut after 80 characters.
package func quoted(_ text: String) -> String {
    let short = text.count > 80 ? String(text.prefix(80)) + "…" : text
    return String(decoding: JSON.string(short).encoded, as: UTF8.self)
}
