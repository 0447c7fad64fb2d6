import HTTP
import Synchronization

/// The number of open streams, with a limit for all clients together and for each address. All loops share it.
final class StreamLimits: Sendable {
    let limit: Int
    private let addresses: AddressCounts?
    private let open = Atomic<Int>(0)

    /// - Parameters:
    ///   - limit: for all clients together.
    ///   - limitPerAddress: 0 for no limit.
    init(limit: Int, limitPerAddress: Int) {
        self.limit = limit
        addresses = limitPerAddress > 0 ? AddressCounts(limit: limitPerAddress) : nil
    }

    var openStreams: Int { open.load(ordering: .relaxed) }

    /// The key to count streams per address; nil if they are not counted.
    func network(of sender: Sender) -> String? {
        addresses == nil ? nil : sender.network
    }

    /// Counts a new stream.
    /// - Returns: the failure if a limit is reached.
    func acquire(_ network: String?) -> RequestFailure? {
        guard open.add(1, ordering: .relaxed).newValue <= limit else {
            open.subtract(1, ordering: .relaxed)
            return .tooManyStreams
        }
        if let network, let addresses, !addresses.acquire(network) {
            open.subtract(1, ordering: .relaxed)
            return .tooManyStreamsOfAddress
        }
        return nil
    }

    /// Must be called once for each counted stream.
    func release(_ network: String?) {
        open.subtract(1, ordering: .relaxed)
        if let network { addresses?.release(network) }
    }
}
