/// A host and port to listen on: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, or `:8080` for every IPv4 address of the machine. Port 0
/// lets the system choose a free port.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        self.init(host: host.isEmpty ? "0.0.0.0" : host == "localhost" ? "127.0.0.1" : String(host), port: port)
    }

    /// Whether it is the wildcard address.
    var isWildcard: Bool { host == "0.0.0.0" || host == "::" }

    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
