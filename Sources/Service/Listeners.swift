import HTTP
import HTTPServer

extension ServiceConfiguration {
    /// The address of the client plane, and of the admin plane if it has its own address.
    var listenAddresses: [ListenAddress] { [listen] + [adminListen].compactMap { $0 } }

    /// Binds the server to its addresses.
    func bindServer(metrics: any ServerMetrics) throws(BindingError) -> HTTPServer {
        var addresses: [SocketAddress] = []
        for address in listenAddresses { addresses.append(try socketAddress(of: address)) }
        do throws(SystemError) {
            return try HTTPServer(binding: addresses, configuration: server, metrics: metrics)
        } catch {
            throw BindingError(
                description: "Cannot listen on \(listen) (\(error)). Choose another address with --listen.")
        }
    }

    private func socketAddress(of address: ListenAddress) throws(BindingError) -> SocketAddress {
        guard let parsed = SocketAddress(address.description) else {
            throw BindingError(description: "\(address) is not a literal IPv4 or IPv6 address with a port.")
        }
        return parsed
    }
}

/// The reason why an address cannot be bound.
package struct BindingError: Error, CustomStringConvertible {
    package let description: String
}
