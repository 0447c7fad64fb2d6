import QuickActions

/// The journal of changes, from which the live stream is read.
package protocol StreamStore: Sendable {
    /// The position after the last entry.
    func streamPosition() throws(Failure) -> StreamPosition

    /// The entries of all apps after a position, in their order.
    /// - Parameter limit: the maximum number of entries.
    /// - Returns: nil if the journal does not contain the position: it is older than the journal, or from before a restore of the database.
    func streamEntries(after position: StreamPosition, limit: Int) throws(Failure) -> [StreamEntry]?

    /// The state at the start of a stream, from one snapshot of the database.
    /// - Parameters:
    ///   - position: the last position that the client received; nil for a new client.
    ///   - limit: a client that missed more entries gets the state instead of the entries.
    func streamBeginning(of apps: [AppID], after position: StreamPosition?, limit: Int) throws(Failure) -> StreamBeginning
}

/// The state at the start of a stream.
package struct StreamBeginning: Sendable {
    /// The position after the last entry of the journal.
    package let last: StreamPosition
    /// The apps that exist, each with its last revision.
    package let revisions: [AppID: Int64]
    /// The entries that the client missed, compacted. Nil without a position, if the journal does not contain it, or if there are too many.
    package let missed: [StreamEntry]?

    package init(last: StreamPosition, revisions: [AppID: Int64], missed: [StreamEntry]?) {
        self.last = last
        self.revisions = revisions
        self.missed = missed
    }
}
