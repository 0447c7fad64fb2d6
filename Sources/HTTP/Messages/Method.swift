/// A request method (RFC 9110 section 9); case-sensitive.
package struct Method: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ name: String) {
        description = name
    }

    package static let get = Method("GET")
    package static let head = Method("HEAD")
    package static let post = Method("POST")
    package static let put = Method("PUT")
    package static let patch = Method("PATCH")
    package static let delete = Method("DELETE")
    package static let options = Method("OPTIONS")
}
