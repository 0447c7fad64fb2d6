import QuickActions

/// The body of a recovery: `{"since"?}`, an RFC 3339 time. Without it, all deliveries are recovered.
package struct RecoveryDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func checked() throws(Failure) -> Timestamp? {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["since"])
        let since = document?.optional("since", checker.instant)
        try checker.finish()
        return since
    }
}
