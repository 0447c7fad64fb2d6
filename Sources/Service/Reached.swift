import Synchronization

/// Where the planes are reached: what was asked for, and once it is bound what came of it.
final class Reached: Sendable {
    private let addresses: Mutex<[ListenAddress]>
    private let wanted: ListenAddress

    init(_ configuration: ServiceConfiguration) {
        wanted = configuration.listen
        addresses = Mutex([configuration.listen] + [configuration.adminListen].compactMap { $0 })
    }

    func set(_ bound: [ListenAddress]) {
        addresses.withLock { $0 = bound }
    }

    var client: ListenAddress { addresses.withLock { $0.first } ?? wanted }
    var admin: ListenAddress { addresses.withLock { $0.last } ?? wanted }
}
