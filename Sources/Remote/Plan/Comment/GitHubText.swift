import QuickActions

/// Text in a comment on GitHub. Texts of menus stay text: they form no Markdown, HTML, mention, link, reference or emoji.
enum GitHubText {
    /// Text as a code span. GitHub reads nothing in it, and finds no mentions or links in it.
    /// - Parameter limit: the number of characters after which the text is cut.
    static func code(_ text: String, upTo limit: Int = 120) -> String {
        let text = shown(text, upTo: limit)
        guard !text.isEmpty else { return "(empty)" }
        // A run of backticks ends the span if it is as long as the one that begins it.
        var (longest, run) = (0, 0)
        for scalar in text.unicodeScalars {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        // Spaces separate backticks of the text from the fence. GitHub removes one space at each end.
        let space = text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ") || text.hasSuffix(" ") ? " " : ""
        return fence + space + text + space + fence
    }

    /// Text as an HTML element.
    static func html(_ text: String) -> String {
        let escaped = shown(text, upTo: 160).unicodeScalars.map { scalar in
            switch scalar {
            case "&", "<", ">", "\"", "'": "&#\(scalar.value);"
            default: String(Character(scalar))
            }
        }
        return "<code>\(escaped.joined())</code>"
    }

    /// A sentence of the service. Its quoted parts, which come from menus, become code spans.
    static func prose(_ sentence: String) -> String {
        let scalars = Array(sentence.unicodeScalars)
        var (result, start) = ("", 0)
        while let quote = scalars[start...].firstIndex(of: "\"") {
            var end = quote + 1
            while end < scalars.count, scalars[end] != "\"" { end += scalars[end] == "\\" ? 2 : 1 }
            guard end < scalars.count else { break }
            result += escaped(scalars[start..<quote])
            let literal = String(String.UnicodeScalarView(scalars[quote...end]))
            if case .string(let text)? = try? JSONReader.read(Array(literal.utf8)) {
                result += code(text.string)
            } else {
                result += code(literal)
            }
            start = end + 1
        }
        return result + escaped(scalars[start...])
    }

    private static func escaped(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        for index in scalars.indices {
            let scalar = visible(scalars[index])
            let next = index + 1 < scalars.endIndex ? scalars[index + 1] : " "
            let isStop = ".:,;?!)".unicodeScalars.contains(scalar) && next == " "
            let isPunctuation = scalar.isASCII && scalar.properties.generalCategory.isPunctuationOrSymbol
            if isPunctuation, !isStop, !",'()".unicodeScalars.contains(scalar) { result.append("\\") }
            result.append(scalar)
            // GitHub looks for these in the rendered text, without their backslashes.
            if "@#:".unicodeScalars.contains(scalar), next != " " { result.append("\u{200B}") }
        }
        return String(result)
    }

    /// One line of at most 480 bytes.
    private static func shown(_ text: String, upTo limit: Int) -> String {
        let line = String(String.UnicodeScalarView(text.unicodeScalars.map(visible)))
        guard line.count > limit || line.utf8.count > 480 else { return line }
        var cut = String(line.prefix(limit))
        while cut.utf8.count > 480 {
            let scalars = cut.unicodeScalars
            cut = String(String.UnicodeScalarView(scalars.prefix(scalars.count - max(1, scalars.count / 8))))
        }
        return cut + "…"
    }

    /// Replaces characters that end a line, that are invisible, or that change the direction of the text around them.
    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: scalar
        }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isPunctuationOrSymbol: Bool {
        switch self {
        case .openPunctuation, .closePunctuation, .dashPunctuation, .connectorPunctuation, .otherPunctuation, .initialPunctuation,
            .finalPunctuation, .mathSymbol, .modifierSymbol, .currencySymbol, .otherSymbol:
            true
        default: false
        }
    }
}
