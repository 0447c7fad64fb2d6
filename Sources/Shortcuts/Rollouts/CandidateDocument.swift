import QuickActions

/// The body of `PATCH …/candidate`, `{"share"}`.
package struct CandidateDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func share() throws(Failure) -> RolloutShare {
        let checker = DocumentChecker()
        let share = checker.object(json, at: .root, known: ["share"])?.required("share", checker.rolloutShare)
        try checker.finish()
        guard let share else { throw .invalidDocument([]) }
        return share
    }
}

extension DocumentChecker {
    func rolloutShare(_ json: JSON, at path: DocumentPath) -> RolloutShare? {
        if let share = RolloutShare(percent: json) { return share }
        switch json {
        case .integer, .real, .outOfRange:
            note("share-invalid", at: path, RolloutShare.rule(for: String(decoding: json.encoded, as: UTF8.self)))
        default: mismatch(json, at: path, wanted: "a number, the percentage")
        }
        return nil
    }
}

extension RolloutShare: TextParsable {
    /// `12.5`
    package init?(_ text: String) {
        guard let json = try? JSON(document: Array(text.utf8)) else { return nil }
        self.init(percent: json)
    }

    package static func rule(for text: String) -> String {
        "\(text.isEmpty ? "An empty text" : text) is not a share. Use a percentage from 0 to 100 with at most two decimals, such as 12.5."
    }
}
