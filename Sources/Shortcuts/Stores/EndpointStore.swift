/// Where events are sent.
package protocol EndpointStore: Sendable {
    /// Oldest first; only those whose apps the scope covers.
    func endpoints(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<Endpoint>
    func endpoint(_ id: EndpointID) throws(Failure) -> Endpoint?
    func createEndpoint(_ endpoint: Endpoint, by author: Author) throws(Failure)
    /// `change` runs inside the transaction. Disabling holds what is pending; what no longer passes the filter is
    /// cancelled. `unknownResource` when there is none.
    /// - Parameter isEnabling: somebody says that it is to be sent to: that ends its failure window and its hold, also
    ///   where it was enabled before.
    func updateEndpoint(
        _ id: EndpointID, isEnabling: Bool, by author: Author, change: (Endpoint) throws(Failure) -> Endpoint
    ) throws(Failure) -> Endpoint
    /// Drops what is pending for it.
    func deleteEndpoint(_ id: EndpointID, by author: Author) throws(Failure)
    /// Queues a `webhook.ping` to this endpoint only, whatever its filters.
    /// - Returns: the delivery's id.
    func ping(_ id: EndpointID, by author: Author) throws(Failure) -> DeliveryID
}
