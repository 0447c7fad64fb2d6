import HTTPServer

extension ServiceConfiguration {
    /// The whole at one address, or the admin plane at one of its own.
    func listeners(for table: RouteTable) throws(BindingRefusal) -> [HTTPServer.Listener] {
        guard let admin = adminListen else { return [HTTPServer.Listener(try socketAddress(of: listen), table.whole)] }
        return [
            HTTPServer.Listener(try socketAddress(of: listen), table.clientPlane),
            HTTPServer.Listener(try socketAddress(of: admin), table.adminPlane),
        ]
    }

    private func socketAddress(of address: ListenAddress) throws(BindingRefusal) -> SocketAddress {
        guard let parsed = SocketAddress(address.description) else {
            throw BindingRefusal(description: "\(address) is not a literal IPv4 or IPv6 address with a port.")
        }
        return parsed
    }
}

/// Why an address could not be listened on.
package struct BindingRefusal: Error, CustomStringConvertible {
    package let description: String
}
