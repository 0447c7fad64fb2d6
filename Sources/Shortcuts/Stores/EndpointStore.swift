/// Webhook endpoints.
package protocol EndpointStore: Sendable {
    /// Oldest first; only endpoints whose apps are in the scope.
    func endpoints(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<Endpoint>
    func endpoint(_ id: EndpointID) throws(Failure) -> Endpoint?
    /// For each of these endpoints that is ordered and blocked, the delivery that blocks it.
    func blockingDeliveries(of endpoints: [Endpoint]) throws(Failure) -> [EndpointID: BlockingDelivery]
    func createEndpoint(_ endpoint: Endpoint, by author: Author) throws(Failure)
    /// Changes an endpoint; `change` runs inside the transaction. Disabling holds pending deliveries. Deliveries that no longer pass the
    /// filters are cancelled.
    /// - Parameters:
    ///   - isEnabling: whether the request says `enabled: true`. It ends the failure window and the pause of the endpoint, even if it was
    ///     enabled.
    ///   - isRecovering: whether exhausted and held deliveries are made due again in the same transaction, as by `DeliveryStore.recover`.
    /// - Throws: `unknownResource`.
    func updateEndpoint(
        _ id: EndpointID, isEnabling: Bool, isRecovering: Bool, by author: Author, change: (Endpoint) throws(Failure) -> Endpoint
    ) throws(Failure) -> Endpoint
    /// Deletes an endpoint with its pending deliveries.
    func deleteEndpoint(_ id: EndpointID, by author: Author) throws(Failure)
    /// Queues a `webhook.ping` to this endpoint only; its filters do not apply.
    func ping(_ id: EndpointID, by author: Author) throws(Failure) -> DeliveryID
}
