import QuickActions

extension Text {
    /// Why a menu would not show the text as it was written: a warning's code, and the message after its path.
    var displayFlaws: [(code: String, message: String)] {
        let scalars = string.unicodeScalars
        var flaws: [(code: String, message: String)] = []
        if let first = scalars.first, scalars.allSatisfy(\.isInvisible) {
            flaws.append(
                ("title-invisible", "has only invisible characters, such as U+\(first.hexText). Write text that people can read."))
        }
        if let control = scalars.firstDirectionFlaw {
            flaws.append(
                ("text-direction", "has U+\(control.hexText), which changes the direction of the text around it. Remove it or close it."))
        }
        return flaws
    }
}

extension ShortcutItem {
    /// The flaws of the item's rows, each with its member and language.
    func displayFlaws(at path: DocumentPath) -> [(code: String, path: DocumentPath, row: [String], message: String)] {
        [("title", titles.rows), ("subtitle", subtitles.rows)].flatMap { member, rows in
            rows.flatMap { row in
                let path = path[Text(member)][Text(row.language.description)]
                return row.text.displayFlaws.map { ($0.code, path, [member, row.language.description], "\(path) \($0.message)") }
            }
        }
    }
}

extension ArchivedApp {
    /// The warnings of an import: text that a menu does not show as it is written, in everything that can be published. At most 100. Paths
    /// are those of the app in the document.
    var displayWarnings: [Warning] {
        let published = Set(sets.map(\.number))
        let revisions = history.revisions.enumerated().filter { published.contains($1.number) }.map { ("revisions", $0, $1.set) }
        let prepared = drafts.enumerated().map { ("drafts", $0, Optional($1.set)) }
        let planned = schedule.enumerated().filter { $1.kind == .publish }.map { ("schedule", $0, $1.set) }
        let ofSets = (revisions + prepared + planned).lazy.flatMap { member, index, set in
            (set?.items ?? []).enumerated().flatMap { place, item in
                item.displayFlaws(at: DocumentPath.root[Text(member)][index]["set"]["items"][place]).map { flaw in
                    Warning(path: flaw.path, code: flaw.code, about: [flaw.path.description], message: flaw.message)
                }
            }
        }
        let ofReleases = releases.enumerated().lazy.flatMap { $1.staticItemWarnings(at: DocumentPath.root["releases"][$0]) }
        return Array((Array(ofReleases.prefix(100)) + Array(ofSets.prefix(100))).prefix(100))
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        // U+2800 is an empty Braille pattern.
        default: properties.isDefaultIgnorableCodePoint || value == 0x2800
        }
    }
}

extension String.UnicodeScalarView {
    /// An override (UAX #9), which changes the direction of letters, or the first embedding or isolate without an end, or the first end
    /// without a beginning.
    fileprivate var firstDirectionFlaw: Unicode.Scalar? {
        var open: [Unicode.Scalar] = []
        for scalar in self {
            switch scalar.value {
            case 0x202D, 0x202E: return scalar
            case 0x202A, 0x202B, 0x2066...0x2068: open.append(scalar)
            case 0x202C: guard let last = open.popLast(), last.value < 0x2066 else { return scalar }
            case 0x2069: guard let last = open.popLast(), last.value >= 0x2066 else { return scalar }
            default: break
            }
        }
        return open.first
    }
}
