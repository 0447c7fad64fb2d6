import QuickActions

/// The errors and warnings that a write of a set or a draft would have.
package struct DryRun: Sendable {
    package let violations: [Violation]
    package let warnings: [Warning]

    /// - Parameter write: performs the checks of the write. Failures of the document, or of its relation to other sets, become findings.
    /// - Throws: other failures of `write`, such as a missing resource or a failed precondition.
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
