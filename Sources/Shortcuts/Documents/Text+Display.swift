import QuickActions

extension Text {
    /// Why a row of a menu would not show the text as it was written: a warning's code, and its message behind the path.
    var displayFlaws: [(code: String, message: String)] {
        let scalars = string.unicodeScalars
        var flaws: [(code: String, message: String)] = []
        if let first = scalars.first, scalars.allSatisfy(\.isInvisible) {
            flaws.append(("title-invisible", "has only characters that nobody sees, such as U+\(first.hexText): write what people can read."))
        }
        if let control = scalars.firstDirectionFlaw {
            flaws.append(
                ("text-direction", "holds U+\(control.hexText), which changes the order of the letters around it: remove it or close it."))
        }
        return flaws
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
    /// An override (UAX #9), which turns letters around, or the first embedding or isolate that is not closed, or that closes none.
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
