import HTTP
import QuickActions
import Shortcuts

/// Sign-in through a proxy: a header of the request names the person, and the roles define the person's rights.
package struct ProxySignIn: Equatable, Sendable {
    package let roles: SignInRoles
    private let header: String
    /// Nil if the proxy sends no groups.
    private let groupsHeader: String?
    private let proxies: [AddressBlock]

    package init(header: String, groupsHeader: String?, proxies: [AddressBlock], roles: SignInRoles) {
        (self.header, self.groupsHeader, self.proxies, self.roles) = (header, groupsHeader, proxies, roles)
    }

    /// Whether the request has the header, from any sender.
    func isNamed(in request: Request) -> Bool { request.fields.contains(header) }

    /// - Throws: `unauthenticated` unless a proxy names one person.
    func person(of request: Request) throws(Failure) -> Person {
        guard isFromProxy(request) else {
            throw Failure(
                .unauthenticated,
                "The header \(header) is accepted only from the proxies of --sign-in-proxies. This request comes from another address. "
                    + "Sign in with a token.")
        }
        let address = try requireOne(header, of: request)
        let groups = try groupsHeader.map { name throws(Failure) in
            request.fields.contains(name) ? try requireOne(name, of: request) : ""
        }
        guard let person = Person(address: address, groups: groups ?? "") else {
            throw Failure(
                .unauthenticated, "The header \(header) does not name a person. The proxy must send an address of \(Person.addressRule).")
        }
        return person
    }

    /// Whether a proxy names another person than the session's. A request without the header may come from anybody.
    func isContradicted(_ person: Person, by request: Request) -> Bool {
        let named = request.fields.all(header)
        return isFromProxy(request) && !named.isEmpty && named.map { TokenOwner($0) } != [person.address]
    }

    /// - Throws: `forbidden`.
    func rights(of person: Person) throws(Failure) -> SignInRoles.Rights {
        guard let rights = roles.rights(of: person) else {
            throw Failure(
                .forbidden,
                "\(quoted(person.address.description)) has no role. Ask an operator to add the address, or one of its groups, to the file "
                    + "of --sign-in-roles.")
        }
        return rights
    }

    private func requireOne(_ name: String, of request: Request) throws(Failure) -> String {
        let values = request.fields.all(name)
        guard values.count == 1, let value = values.first else {
            throw Failure(
                .unauthenticated,
                "The request has the header \(name) \(values.count) times. The proxy must remove it from clients' requests and set it once."
            )
        }
        return value
    }

    /// Only the address of the connection counts, not a forwarded address.
    private func isFromProxy(_ request: Request) -> Bool {
        IPAddress(request.peer).map { peer in proxies.contains { $0.contains(peer) } } ?? false
    }
}
