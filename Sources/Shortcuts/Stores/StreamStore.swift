import QuickActions

/// The journal of changes that the live stream is read from.
package protocol StreamStore: Sendable {
    /// The position behind the last entry.
    func streamPosition() throws(Failure) -> StreamPosition

    /// The entries behind a position, in their order, of all apps.
    /// - Parameter limit: at most so many.
    /// - Returns: nil if the journal does not have the position: it is older than what is kept, or of another life of the database.
    func streamEntries(after position: StreamPosition, limit: Int) throws(Failure) -> [StreamEntry]?

    /// What a new stream begins with, of one moment.
    /// - Parameters:
    ///   - position: where the client was cut off; nil for one that begins.
    ///   - limit: who has missed more entries is told the state.
    func streamBeginning(of apps: [AppID], after position: StreamPosition?, limit: Int) throws(Failure) -> StreamBeginning
}

/// What a new stream begins with.
package struct StreamBeginning: Sendable {
    /// Behind the last entry of the journal.
    package let last: StreamPosition
    /// The apps that exist, each with its last revision.
    package let revisions: [AppID: Int64]
    /// What the client has missed, compacted; nil without a position, and where the journal cannot tell it or it is too much.
    package let missed: [StreamEntry]?

    package init(last: StreamPosition, revisions: [AppID: Int64], missed: [StreamEntry]?) {
        self.last = last
        self.revisions = revisions
        self.missed = missed
    }
}
