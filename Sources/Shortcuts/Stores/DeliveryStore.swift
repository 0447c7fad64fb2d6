import QuickActions

/// The outbox for owners: the delivery log, resending, recovery, and rotation of secrets.
package protocol DeliveryStore: Sendable {
    /// Newest first, with their attempts.
    /// - Parameters:
    ///   - state: only deliveries in this state; nil for all.
    ///   - type: only events of this type; nil for all.
    func deliveries(to endpoint: EndpointID, in state: Delivery.State?, of type: EventType?, _ page: PageRequest) throws(Failure)
        -> Page<Delivery>
    func delivery(_ id: DeliveryID) throws(Failure) -> Delivery?
    /// Makes a delivery due for one manual attempt outside its schedule, in any state, with the same id and bytes. If the attempt fails,
    /// the delivery returns to its state.
    /// - Throws: `unknownResource`.
    func resend(_ id: DeliveryID, by author: Author) throws(Failure) -> Delivery
    /// Makes the exhausted and held deliveries of an endpoint due again, at the start of their retry schedules. A disabled endpoint stays
    /// disabled, and its deliveries wait.
    /// - Parameter since: only deliveries created at that time or later; nil for all.
    /// - Returns: the number of deliveries.
    /// - Throws: `unknownResource`.
    func recover(_ endpoint: EndpointID, since: Timestamp?, by author: Author) throws(Failure) -> Int
    /// Cancels the held deliveries of an endpoint, so that an ordered one continues with later deliveries.
    /// - Returns: the number of deliveries.
    /// - Throws: `unknownResource`.
    func skipHeld(of endpoint: EndpointID, by author: Author) throws(Failure) -> Int
    /// Makes `secret` the current one from the next attempt on. Attempts before `end` are signed with the previous secret too; if `end`
    /// is past, the previous secret is deleted.
    /// - Throws: `unknownResource`.
    func rotateSecret(of endpoint: EndpointID, to secret: String, previousExpiresAt end: Timestamp, by author: Author)
        throws(Failure)
}
