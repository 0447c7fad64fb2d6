import QuickActions

/// An id that the service made up: random text that means nothing by itself. What a client names is any text; where nothing has that id,
/// nothing is found.
package protocol OpaqueID: Hashable, Comparable, Sendable, TextRepresentable, ExpressibleByStringInterpolation
where StringLiteralType == String {
    var description: String { get }

    init(_ text: String)
}

extension OpaqueID {
    package init(stringLiteral value: String) {
        self.init(value)
    }

    package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// A webhook endpoint's id.
package struct EndpointID: OpaqueID {
    package let description: String

    package init(_ text: String) {
        description = text
    }
}

/// The id of an event on its way to one endpoint.
package struct DeliveryID: OpaqueID {
    package let description: String

    package init(_ text: String) {
        description = text
    }
}

/// The `webhook-id`: visible ASCII without a dot, one per event, the same for every endpoint.
package struct EventID: OpaqueID {
    package let description: String

    package init(_ text: String) {
        description = text
    }
}

/// The id of an admin token, which is not its secret.
package struct TokenID: OpaqueID {
    package let description: String

    package init(_ text: String) {
        description = text
    }
}
