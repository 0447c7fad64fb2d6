/// An app's bundle identifier, `^[A-Za-z0-9][A-Za-z0-9._-]{0,154}$`.
package struct AppID: Hashable, Comparable, Sendable, TextRepresentable {
    package let description: String

    package init?(_ text: String) {
        guard isIdentifier(text, maxBytes: 155) else { return nil }
        description = text
    }

    package static func < (left: AppID, right: AppID) -> Bool { left.description < right.description }
}

/// A shortcut item's id, `^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`. Its meaning within a timeline never changes.
package struct ItemID: Hashable, Comparable, Sendable, TextRepresentable {
    package let description: String

    package init?(_ text: String) {
        guard isIdentifier(text, maxBytes: 128) else { return nil }
        description = text
    }

    package static func < (left: ItemID, right: ItemID) -> Bool { left.description < right.description }
}

/// The name of a variant of the menu (`guest`, `member`), `^[a-z0-9][a-z0-9-]{0,31}$`.
package struct Audience: Hashable, Comparable, Sendable, TextRepresentable {
    package let description: String

    package static let `default` = Audience(trusted: "default")

    /// Every audience, for `?audience=*` of a bundle. It is not the name of one.
    package static let every = Audience(trusted: "*")

    package init?(_ text: String) {
        let bytes = text.utf8
        guard let first = bytes.first, first.isASCIILowercaseLetter || first.isASCIIDigit, bytes.count <= 32,
            bytes.allSatisfy({ $0.isASCIILowercaseLetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
        else { return nil }
        description = text
    }

    private init(trusted text: String) {
        description = text
    }

    package static func < (left: Audience, right: Audience) -> Bool { left.description < right.description }
}

private func isIdentifier(_ text: String, maxBytes: Int) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first, first.isASCIILetter || first.isASCIIDigit, bytes.count <= maxBytes else { return false }
    return bytes.allSatisfy {
        $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
}
