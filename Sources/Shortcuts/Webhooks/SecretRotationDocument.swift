import QuickActions

/// The body of a rotation: `{"overlap"?}`, the duration for which the previous secret still signs. The default is a day.
package struct SecretRotationDocument {
    fileprivate static let maxOverlap = Duration.seconds(30 * 24 * 3600)
    private static let defaultOverlap = Duration.seconds(24 * 3600)

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func checked() throws(Failure) -> Duration {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["overlap"])
        let overlap = document?.optional("overlap", checker.overlap)
        try checker.finish()
        return overlap ?? Self.defaultOverlap
    }
}

extension DocumentChecker {
    fileprivate func overlap(_ json: JSON, at path: DocumentPath) -> Duration? {
        guard let text = string(json, at: path)?.string else { return nil }
        guard let overlap = Duration(text: text) else {
            note(
                "duration-invalid", at: path,
                "\(quoted(text)) is not a duration. Use a whole number with ms, s, m or h, for example 24h. The limit is 30 days, 720h; 0s "
                    + "makes the previous secret invalid at once.")
            return nil
        }
        guard overlap <= SecretRotationDocument.maxOverlap else {
            note("duration-too-long", at: path, "\(quoted(text)) is too long. Use at most 30 days, 720h.")
            return nil
        }
        return overlap
    }
}
