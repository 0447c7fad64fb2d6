import QuickActions

extension JSON {
    /// The value as an XML property list; `$date` and `$data` markers become real dates and data.
    ///
    /// Foundation is not used because its dictionaries merge keys that are canonically equivalent.
    package var xmlPropertyList: [UInt8] {
        var bytes = Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """.utf8)
        appendXML(to: &bytes, indent: 0)
        bytes.append(contentsOf: "</plist>\n".utf8)
        return bytes
    }

    private func appendXML(to bytes: inout [UInt8], indent: Int) {
        func line(_ text: String) {
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: indent))
            bytes.append(contentsOf: text.utf8)
            bytes.append(UInt8(ascii: "\n"))
        }
        switch self {
        case .null: break
        case .boolean(let value): line(value ? "<true/>" : "<false/>")
        case .integer(let value): line("<integer>\(value)</integer>")
        case .real(let value): line("<real>\(realText(value))</real>")
        case .outOfRange(let text, let isInteger): line(isInteger ? "<integer>\(text)</integer>" : "<real>\(text)</real>")
        case .string(let text): line("<string>\(text.escapedForXML)</string>")
        case .array(let elements):
            guard !elements.isEmpty else { return line("<array/>") }
            line("<array>")
            for element in elements { element.appendXML(to: &bytes, indent: indent + 1) }
            line("</array>")
        case .object(let members):
            if let marker = members.first, members.count == 1, case .string(let text) = marker.value {
                if marker.name == "$date" { return line("<date>\(text)</date>") }
                if marker.name == "$data" { return line("<data>\(text)</data>") }
            }
            guard !members.isEmpty else { return line("<dict/>") }
            line("<dict>")
            // A property list has no null: such a member is absent.
            for member in members where !member.value.isNull {
                bytes.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: indent + 1))
                bytes.append(contentsOf: "<key>\(member.name.escapedForXML)</key>\n".utf8)
                member.value.appendXML(to: &bytes, indent: indent + 1)
            }
            line("</dict>")
        }
    }
}

extension Text {
    /// A carriage return is written as a character reference: XML 1.0 section 2.11 normalizes a literal one to a line feed.
    fileprivate var escapedForXML: String {
        guard string.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") || $0 == 0x0D })
        else { return string }
        var escaped = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\r": escaped += "&#13;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
