import HTTP
import HTTPServer

extension ServiceConfiguration {
    /// Where the planes are reached: both at one address, or the admin plane at one of its own.
    var listenAddresses: [ListenAddress] { [listen] + [adminListen].compactMap { $0 } }

    /// - Throws: a sentence that names an address that cannot be had.
    func boundServer(metrics: any ServerMetrics) throws(BindingRefusal) -> HTTPServer {
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

extension RouteTable {
    /// One for each address that is listened on.
    func handlers(for configuration: ServiceConfiguration) -> [any Handler] {
        configuration.adminListen == nil ? [whole] : [clientPlane, adminPlane]
    }
}

/// Why an address could not be listened on.
package struct BindingRefusal: Error, CustomStringConvertible {
    package let description: String
}
