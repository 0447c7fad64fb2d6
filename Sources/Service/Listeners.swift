import HTTP
import HTTPServer

extension ServiceConfiguration {
    /// The client plane's address, and the admin plane's if it has its own.
    var listenAddresses: [ListenAddress] { [listen] + [adminListen].compactMap { $0 } }

    /// Binds the server to its addresses.
    func bindServer(metrics: any ServerMetrics) throws(BindingRefusal) -> HTTPServer {
        var addresses: [SocketAddress] = []
        for address in listenAddresses { addresses.append(try socketAddress(of: address)) }
        do throws(SystemError) {
            return try HTTPServer(binding: addresses, configuration: server, metrics: metrics)
        } catch {
            throw BindingRefusal(
                description: "\(listen) cannot be listened on (\(error)). Choose another address with --listen.")
        }
    }

    private func socketAddress(of address: ListenAddress) throws(BindingRefusal) -> SocketAddress {
        guard let parsed = SocketAddress(address.description) else {
            throw BindingRefusal(description: "\(address) is not a literal IPv4 or IPv6 address with a port.")
        }
        return parsed
    }
}

/// Why an address cannot be bound.
package struct BindingRefusal: Error, CustomStringConvertible {
    package let description: String
}
