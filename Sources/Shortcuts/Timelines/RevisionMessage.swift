import QuickActions

/// Why a revision was published, in the words of its author.
package struct RevisionMessage: Hashable, Sendable, TextRepresentable, TextParsable {
    package let description: String

    /// - Parameter text: one line of 1 to 200 characters in at most 2,048 bytes, without control characters, not all white space.
    package init?(_ text: String) {
        // A character has at least one byte, so characters are counted only for texts that can fit.
        guard text.utf8.count <= 2048, text.isRemark else { return nil }
        description = text
    }

    package static func rule(for text: String) -> String {
        "\(quoted(text)) is not a valid message. Write one line of 1 to 200 characters, without control characters, or leave the message "
            + "out."
    }
}

extension String {
    /// Whether it is one line of 1 to 200 characters, without control characters, and not all white space.
    var isRemark: Bool {
        (1...200).contains(count) && !unicodeScalars.contains(where: \.isLineBreakOrControl) && contains { !$0.isWhitespace }
    }
}
