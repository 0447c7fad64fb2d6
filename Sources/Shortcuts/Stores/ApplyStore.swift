/// Applies trees of apps.
package protocol ApplyStore: Sendable {
    /// Runs `ApplyPlan` and writes the result in one transaction.
    /// - Parameter dryRun: computes the plan and writes nothing.
    /// - Throws: what `ApplyPlan` throws.
    func apply(_ request: ApplyRequest, dryRun: Bool, by author: Author) throws(Failure) -> ApplyPlan
}
