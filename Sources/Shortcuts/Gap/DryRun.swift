import QuickActions

/// What a write of a set or a draft would be refused or warned for, found without writing.
package struct DryRun: Sendable {
    package let violations: [Violation]
    package let warnings: [Warning]

    /// - Parameter write: checks as the write would. What it throws of the document, or of what stands around it, are findings.
    /// - Throws: what `write` throws beside that: a missing resource, a failed precondition.
    package init(_ write: () throws(Failure) -> [Warning]) throws(Failure) {
        do throws(Failure) {
            warnings = try write()
            violations = []
        } catch {
            guard error.isFinding else { throw error }
            warnings = []
            violations = error.asViolations(at: "")
        }
    }

    package var json: JSON {
        ["violations": .array(violations.map(\.json)), "warnings": .array(warnings.map(\.json))]
    }
}

extension Failure {
    fileprivate var isFinding: Bool { [.invalidDocument, .idReused, .conflict, .approvalMissing, .quotaExceeded].contains(code) }
}
