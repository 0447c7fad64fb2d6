/// What is to be recovered: `{"since"?}`, an RFC 3339 time; without one, everything.
package struct RecoveryDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func checked() throws(Failure) -> Timestamp? {
        var checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["since"])
        let since = document?.optional("since", &checker) { checker, json, path in checker.time(json, at: path) }
        try checker.finish()
        return since
    }
}

extension DocumentChecker {
    fileprivate mutating func time(_ json: JSON, at path: DocumentPath) -> Timestamp? {
        guard let text = string(json, at: path)?.string else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            note("time-invalid", at: path, "\(quoted(text)) is not a time. Use RFC 3339, for example 2026-01-31T09:00:00Z.")
            return nil
        }
        return time
    }
}
