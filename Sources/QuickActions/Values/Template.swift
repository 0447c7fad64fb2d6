/// A text with placeholders, such as `Message {name}`. In it, braces are written twice: `{{` and `}}`.
package struct Template: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case text(String)
        case placeholder(String)
    }

    /// As written.
    package let text: Text
    package let parts: [Part]

    /// The part of the text that is not valid: a brace alone, or braces around something that is not a name.
    package struct ParseError: Error, Hashable {
        package let part: String
    }

    package init(_ text: Text) throws(ParseError) {
        self.text = text
        parts = try Self.parse(text.string)
    }

    /// The names of its placeholders.
    package var placeholders: Set<String> {
        Set(
            parts.compactMap { part in
                if case .placeholder(let name) = part { name } else { nil }
            })
    }

    /// `^[a-z][A-Za-z0-9]{0,31}$`
    package static func isName(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, first.isASCIILowercaseLetter, text.utf8.count <= 32 else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }

    /// The text with values. Nil if a value is missing.
    package func filled(with values: [String: String]) -> String? {
        joined(values) { $0 }
    }

    /// The URL with values, which are percent-encoded as in a query. Nil if a value is missing. A brace is percent-encoded, too, because a
    /// URI cannot contain it.
    package func filledURL(with values: [String: String]) -> String? {
        joined(values, text: { $0.replacing("{", with: "%7B").replacing("}", with: "%7D") }, value: \.percentEncoded)
    }

    private func joined(_ values: [String: String], text: (String) -> String = { $0 }, value: (String) -> String) -> String? {
        var result = ""
        for part in parts {
            switch part {
            case .text(let literal): result += text(literal)
            case .placeholder(let name):
                guard let given = values[name] else { return nil }
                result += value(given)
            }
        }
        return result
    }

    // Compares bytes, because braces and names are ASCII.
    private static func parse(_ text: String) throws(ParseError) -> [Part] {
        let (opening, closing) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
        var parts: [Part] = []
        var literal: [UInt8] = []
        var rest = text.utf8[...]
        func end() {
            if !literal.isEmpty { parts.append(.text(String(decoding: literal, as: UTF8.self))) }
            literal = []
        }
        while let byte = rest.popFirst() {
            guard byte == opening || byte == closing else {
                literal.append(byte)
                continue
            }
            if rest.first == byte {
                rest.removeFirst()
                literal.append(byte)
                continue
            }
            guard byte == opening else { throw ParseError(part: "}") }
            guard let stop = rest.firstIndex(of: closing) else { throw ParseError(part: "{") }
            let name = String(decoding: rest[..<stop], as: UTF8.self)
            guard isName(name) else { throw ParseError(part: name.utf8.contains(opening) ? "{" : "{\(name)}") }
            end()
            parts.append(.placeholder(name))
            rest = rest[rest.index(after: stop)...]
        }
        end()
        return parts
    }
}

/// The values that the device gives for the placeholders of an item, as one string in the registered `userInfo`. They are never sent.
package enum PersonalValues {
    /// A JSON object of strings, sorted by name. Names that no placeholder can have are left out.
    package static func encoded(_ values: [String: String]) -> Text {
        let members = values.filter { Template.isName($0.key) }.map { JSON.Member(Text($0.key), .string($0.value)) }
        return Text(String(decoding: JSON.object(members.sorted { $0.name < $1.name }).encoded, as: UTF8.self))
    }

    /// The values of a tapped item; empty if the member is absent or damaged.
    package static func read(_ userInfo: [JSON.Member]) -> [String: String] {
        guard let text = userInfo.text(VersionTag.Name.values), let json = try? JSONReader.read(Array(text.string.utf8)) else { return [:] }
        var values: [String: String] = [:]
        for member in json.members where Template.isName(member.name.string) {
            if case .string(let value) = member.value { values[member.name.string] = value.string }
        }
        return values
    }
}
