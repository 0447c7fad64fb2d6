import QuickActions

/// The outbox as an owner sees it: what was sent, what came of it, and sending it once more.
package protocol DeliveryStore: Sendable {
    /// Newest first, with their attempts; of one state where it is given, and with what is sent where that is asked for.
    func deliveries(to endpoint: EndpointID, in state: Delivery.State?, withBody: Bool, _ page: PageRequest) throws(Failure)
        -> Page<Delivery>
    func delivery(_ id: DeliveryID) throws(Failure) -> Delivery?
    /// Makes a delivery due for one attempt beside its schedule, whatever its state: the same id and bytes. Where the
    /// attempt fails the delivery is again what it was. `unknownResource` when there is none.
    func resend(_ id: DeliveryID, by author: Author) throws(Failure) -> Delivery
    /// Makes the exhausted and held deliveries of an endpoint due again, their schedules begun anew. What is disabled
    /// stays so, and they wait until it is enabled. `unknownResource` when there is no such endpoint.
    /// - Parameter since: of deliveries created then or later; all where it is nil.
    /// - Returns: how many there were.
    func recover(_ endpoint: EndpointID, since: Timestamp?, by author: Author) throws(Failure) -> Int
    /// Signs with another secret from the next attempt on, and until `end` with the former one too; where that has
    /// passed already the former one is forgotten. `unknownResource` when there is no such endpoint.
    func rotateSecret(of endpoint: EndpointID, to secret: String, keepingFormerUntil end: Timestamp, by author: Author)
        throws(Failure)
}
